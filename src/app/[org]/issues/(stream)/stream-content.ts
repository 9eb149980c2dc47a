import type { IssueSort } from '#domain/issues/issue.ts';
import type { IssueRowView } from '../issue-view.ts';

/** The list, or why there is none: the search cannot be read, or a store does not answer. */
export type StreamContent =
  | {
      kind: 'issues';
      rows: readonly IssueRowView[];
      nextCursor: string | null;
      bucketMs: number;
      isCut: boolean;
      /** Of an empty list: what in the search may be the reason; null for nothing that is known. */
      hint: string | null;
    }
  | { kind: 'invalid'; message: string }
  | { kind: 'unavailable'; message: string };

export type StreamProject = {
  id: number;
  slug: string;
  name: string;
  hasEvents: boolean;
  isInternal: boolean;
};

/** A saved search as the menu shows it. */
export type SavedSearchView = {
  id: number;
  name: string;
  query: string;
  sort: IssueSort;
  isShared: boolean;
  canChange: boolean;
};
