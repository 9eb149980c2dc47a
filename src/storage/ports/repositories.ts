export const REPOSITORY_PROVIDERS = ['unknown', 'github', 'gitlab', 'bitbucket', 'gitea', 'other'] as const;
/** Decides how a file is linked; `unknown` links nothing. */
export type RepositoryProvider = (typeof REPOSITORY_PROVIDERS)[number];

export type Repository = {
  id: number;
  organizationId: number;
  /** `owner/name`, as commits and uploads name it. */
  name: string;
  provider: RepositoryProvider;
  /** Of its pages, without a trailing slash; null when nobody told. */
  url: string | null;
  /** Of a file at a line, for `other`: with {commit}, {path} and {line}. */
  linkTemplate: string | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
};

export type RepositoryDraft = Pick<Repository, 'name' | 'provider' | 'url' | 'linkTemplate'>;

/** Source: PostgreSQL. Every call is scoped by organization. */
export interface RepositoryStore {
  /**
   * By name, after the given one; `search` keeps those whose name contains it, in either case; `seenIn` those that one of
   * the projects uses, by a code mapping or the commits of a release, and those that nothing uses. null for all.
   */
  list(
    organizationId: number,
    options: {
      search: string;
      seenIn: readonly number[] | null;
      limit: number;
      after: { name: string; id: number } | null;
    },
  ): Promise<readonly Repository[]>;
  /** null when there is none, or none that is `seenIn` the projects, as above. */
  find(
    organizationId: number,
    repositoryId: number,
    seenIn: readonly number[] | null,
  ): Promise<Repository | null>;
  /** Those that there are. */
  findByIds(organizationId: number, repositoryIds: readonly number[]): Promise<readonly Repository[]>;
  findByName(organizationId: number, name: string): Promise<Repository | null>;
  /** Those that are not there are made, of an unknown provider. The number by name. */
  ensure(
    organizationId: number,
    names: readonly string[],
    atMs: number,
  ): Promise<ReadonlyMap<string, number>>;
  count(organizationId: number): Promise<number>;
  /** Throws Conflict when the name is taken. */
  create(organizationId: number, draft: RepositoryDraft, atMs: number): Promise<Repository>;
  /** null when the organization has no such repository. Throws Conflict when the name is taken. */
  update(organizationId: number, repositoryId: number, draft: RepositoryDraft): Promise<Repository | null>;
  /** With its commits and code mappings. null when the organization has no such repository. */
  delete(organizationId: number, repositoryId: number): Promise<Repository | null>;
}
