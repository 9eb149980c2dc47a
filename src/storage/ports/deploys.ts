/** A release that went to an environment. */
export type Deploy = {
  id: number;
  releaseId: number;
  environment: string;
  /** null when nobody told. */
  name: string | null;
  url: string | null;
  /** Milliseconds since the epoch; null when nobody told. */
  startedAt: number | null;
  finishedAt: number;
};

/** Opaque to callers: where the page before ended. */
export type DeployPlace = { finishedAt: number; id: number };

/** Where releases went. Source: PostgreSQL. Every call is scoped by organization. */
export interface DeployStore {
  /** Makes the environment known in the projects as well. null when the organization has no such release. */
  create(
    organizationId: number,
    deploy: Omit<Deploy, 'id'>,
    projectIds: readonly number[],
    atMs: number,
  ): Promise<Deploy | null>;
  /** The one that finished last comes first. */
  list(
    organizationId: number,
    releaseId: number,
    options: { limit: number; after: DeployPlace | null },
  ): Promise<{ deploys: readonly Deploy[]; next: DeployPlace | null }>;
}
