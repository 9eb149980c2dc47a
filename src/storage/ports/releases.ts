/** A release as a list to choose from shows it. */
export type ReleaseSummary = {
  version: string;
  /** Milliseconds since the epoch: when it was released, else when it was first seen. */
  dateMs: number;
};

/** Releases that projects have seen. Source: PostgreSQL. Every call is scoped by organization. */
export interface ReleaseStore {
  /**
   * Releases of all the given projects, newest first. `search` keeps those whose name contains it, in either case; empty
   * keeps all.
   */
  listReleases(
    organizationId: number,
    projectIds: readonly number[],
    options: { search: string; limit: number },
  ): Promise<readonly ReleaseSummary[]>;
  /** The newest release of each project that has one, in the order in which regressions are told. */
  findNewest(organizationId: number, projectIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
}
