export const REPOSITORY_PROVIDERS = ['unknown', 'github', 'gitlab', 'bitbucket', 'gitea', 'other'] as const;
/** Decides how a file is linked; `unknown` links nothing. */
export type RepositoryProvider = (typeof REPOSITORY_PROVIDERS)[number];

export type Repository = {
  id: number;
  organizationId: number;
  /** `owner/name`, as commits and uploads name it. */
  name: string;
  provider: RepositoryProvider;
  /** Of its pages, without a trailing slash; null when unknown. */
  url: string | null;
  /** Of a file at a line, for `other`: with {commit}, {path} and {line}. */
  linkTemplate: string | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
};
