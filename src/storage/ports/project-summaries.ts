import type { TimeRange } from './events.ts';

/** What a project sent lately. */
export type ProjectSummary = {
  projectId: number;
  /** Errors accepted, by bucket, oldest first. */
  buckets: readonly number[];
  accepted: number;
  /** Issues that were first seen in the range. */
  newIssues: number;
  unresolvedIssues: number;
  /** Milliseconds since the epoch, at any time; null until an event is stored. */
  lastEventAt: number | null;
  /** Of its oldest active client key; null when none is active. */
  publicKey: string | null;
};

/** Several projects beside each other. Source: PostgreSQL. */
export interface ProjectSummaryStore {
  /** One for each of the projects, in the same order. `bucketMs` is a whole number of hours. */
  summarize(
    organizationId: number,
    projectIds: readonly number[],
    range: TimeRange,
    bucketMs: number,
  ): Promise<readonly ProjectSummary[]>;
}
