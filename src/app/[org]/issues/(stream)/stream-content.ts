import type { IssueRowView } from '../issue-view.ts';

/** The list, or why the search cannot be answered. */
export type StreamContent =
  | { kind: 'issues'; rows: readonly IssueRowView[]; nextCursor: string | null; bucketMs: number }
  | { kind: 'invalid'; message: string; field: string | null };

export type StreamProject = {
  id: number;
  slug: string;
  name: string;
  hasEvents: boolean;
  isInternal: boolean;
};
