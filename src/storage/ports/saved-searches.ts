import type { IssueSort } from './issues.ts';

export type SavedSearch = {
  id: number;
  /** Who saved it. */
  userId: string;
  name: string;
  query: string;
  sort: IssueSort;
  /** Whether everybody of the organization sees it; else only who saved it. */
  isShared: boolean;
  /** Milliseconds since the epoch. */
  createdAt: number;
};

export type SavedSearchInput = Pick<SavedSearch, 'name' | 'query' | 'sort' | 'isShared'>;

/** Searches with a name. Source: PostgreSQL. Every call is scoped by organization. */
export interface SavedSearchStore {
  /** The user's own and the shared ones, by name. */
  list(organizationId: number, userId: string, limit: number): Promise<readonly SavedSearch[]>;
  /** null when there is none that the user sees. */
  find(organizationId: number, userId: string, searchId: number): Promise<SavedSearch | null>;
  /** How many the user saved. */
  count(organizationId: number, userId: string): Promise<number>;
  /** Throws Conflict when the name is taken. */
  create(organizationId: number, userId: string, input: SavedSearchInput, atMs: number): Promise<SavedSearch>;
  /** null when it is gone. Throws Conflict when the name is taken. */
  update(
    organizationId: number,
    searchId: number,
    change: Partial<SavedSearchInput>,
  ): Promise<SavedSearch | null>;
  /** False when there was none. */
  delete(organizationId: number, searchId: number): Promise<boolean>;
}
