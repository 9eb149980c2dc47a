import type { RepositoryProvider } from '#storage/ports/repositories.ts';

export const PROVIDER_WORDS: Readonly<Record<RepositoryProvider, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  bitbucket: 'Bitbucket',
  gitea: 'Gitea or Forgejo',
  other: 'Another one, by a link of your own',
  unknown: 'None: nothing is linked',
};

/** In the order in which they are offered. */
export const PROVIDERS_OFFERED: readonly RepositoryProvider[] = [
  'github',
  'gitlab',
  'bitbucket',
  'gitea',
  'other',
  'unknown',
];
