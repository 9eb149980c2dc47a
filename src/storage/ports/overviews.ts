import type { TimeRange } from './events.ts';

/** Issues that something happened to: how many, and the first of them. */
export type IssueTransitions = { total: number; issueIds: readonly number[] };

export type OverviewFacts = {
  /** First seen in the range, the most frequent first. */
  created: IssueTransitions;
  /** Came back in the range, the latest first. */
  regressed: IssueTransitions;
  /** Resolved in the range and resolved still, the latest first. */
  fixed: IssueTransitions;
  /** Rules that fired most. */
  rules: readonly { ruleId: number; name: string; projectId: number; firings: number }[];
};

/** What a week was like. Source: PostgreSQL. */
export interface OverviewStore {
  /** Of the projects; at most `limit` of each list. */
  summarize(
    organizationId: number,
    projectIds: readonly number[],
    range: TimeRange,
    limit: number,
  ): Promise<OverviewFacts>;
}
