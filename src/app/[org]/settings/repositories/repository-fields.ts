import { fields } from '#app/forms/fields.ts';
import type { RepositoryProvider } from '#product/repositories/repository.ts';

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
    help: 'The page of the repository. Only needed for a self-hosted server.',
    placeholder: 'https://git.example.com/acme/web',
    isOptional: true,
  },
});
