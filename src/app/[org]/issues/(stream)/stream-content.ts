import type { Project } from '#domain/projects.ts';
import type { SavedSearch } from '#product/saved-searches/saved-search-store.ts';
import type { IssueRowView } from '../issue-view.ts';

/** The list, or why there is none: the search cannot be read, or a store does not answer. */
export type StreamContent =
  | {
      kind: 'issues';
      rows: readonly IssueRowView[];
      /** What the search asks of events: an issue that is opened shows the same ones. */
      eventQuery: string;
      nextCursor: string | null;
      previousCursor: string | null;
      /** How many issues were ranked, when there are more; null for all. */
      ranked: number | null;
      /** Whether counts are of a part of each issue's events. */
      isFiltered: boolean;
      bucketMs: number;
      isCut: boolean;
      /** Of an empty list: what in the search may be the reason; null for nothing that is known. */
      hint: string | null;
    }
  | { kind: 'invalid'; message: string }
  | { kind: 'unavailable'; message: string };

export type StreamProject = Pick<Project, 'id' | 'slug' | 'name' | 'platform' | 'isInternal'> & {
  hasEvents: boolean;
};

/** A saved search as the menu shows it. */
export type SavedSearchView = Pick<SavedSearch, 'id' | 'name' | 'query' | 'sort' | 'isShared'> & {
  canChange: boolean;
};
