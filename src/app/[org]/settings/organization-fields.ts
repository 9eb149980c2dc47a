import { fields } from '#app/forms/fields.ts';
import { TOKEN_EXPIRY_FIELDS } from '#app/token-days.ts';
import type { RepositoryProvider } from '#product/repositories/repository.ts';

export const ORGANIZATION_FIELDS = fields({
  name: { kind: 'text', label: 'Name', max: 100 },
  slug: {
    kind: 'slug',
    label: 'Slug',
    help: 'Part of every URL. URLs with the old slug redirect until another organization takes it. Scripts that use the API need the new one.',
    max: 50,
  },
  isOpen: {
    kind: 'switch',
    label: 'Open membership',
    help: 'Every member can see every project. When this is off, viewers, members and admins only see the projects of their teams; managers and owners still see every project.',
  },
});

export const TEAM_FIELDS = fields({
  name: {
    kind: 'text',
    label: 'New team name',
    help: 'The name you use in #mentions and ownership rules is derived from it.',
    placeholder: 'Payments',
    max: 64,
  },
});

export const TOKEN_FIELDS = fields({
  name: {
    kind: 'text',
    label: 'New token name',
    help: 'For example, the pipeline that uses it.',
    placeholder: 'Web app release build',
    max: 255,
  },
  ...TOKEN_EXPIRY_FIELDS,
});

/** Their help depends on the kind of tracker; some kinds have no URL and no account to fill in. */
export const TRACKER_FIELDS = fields({
  name: { kind: 'text', label: 'Name', help: 'Shown in Errata.', isOptional: true, max: 100 },
  url: { kind: 'text', label: 'URL', isOptional: true },
  login: { kind: 'text', label: 'Account', isOptional: true, max: 200 },
  token: { kind: 'secret', label: 'Token', isOptional: true },
});

export const HOOK_SECRET_FIELDS = fields({ hookSecret: { kind: 'secret', label: 'Signing secret' } });

export const PROVIDER_LABELS: Readonly<Record<RepositoryProvider, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  bitbucket: 'Bitbucket',
  gitea: 'Gitea or Forgejo',
  other: 'Other, with a link template',
  unknown: 'None (no links)',
};

/** One of `url` and `linkTemplate` is shown: it depends on the provider. */
export const REPOSITORY_FIELDS = fields({
  name: { kind: 'text', label: 'Name', help: 'As it appears in commits.', placeholder: 'acme/web' },
  provider: {
    kind: 'choice',
    label: 'Provider',
    options: Object.entries(PROVIDER_LABELS).map(([value, label]) => ({ value, label })),
  },
  linkTemplate: {
    kind: 'text',
    label: 'Link template',
    help: '{path}, {line} and {commit} are replaced.',
    placeholder: 'https://code.example.com/web/{path}?at={commit}#{line}',
    isOptional: true,
  },
  url: {
    kind: 'text',
    label: 'URL',
    help: 'The URL of the repository. Only needed for a self-hosted server.',
    placeholder: 'https://git.example.com/acme/web',
    isOptional: true,
  },
});
