import { type Kysely, type Selectable, sql } from 'kysely';
import type { IssueSort } from '#domain/issues/issue.ts';
import { conflict } from '#lib/errors.ts';
import { refuseTaken } from '#storage/sql/postgres-errors.ts';
import { camelRow } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

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
export function createSavedSearchStore(db: Kysely<Database>) {
  const visible = (organizationId: number, userId: string) =>
    db
      .selectFrom('saved_searches')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where((search) => search.or([search('is_shared', '=', true), search('user_id', '=', userId)]));
  return {
    /** The user's own and the shared ones, by name. */
    async list(organizationId: number, userId: string, limit: number): Promise<readonly SavedSearch[]> {
      const rows = await visible(organizationId, userId)
        .orderBy('is_shared')
        .orderBy(sql`lower(name)`)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(toSavedSearch);
    },

    /** null when there is none that the user sees. */
    async find(organizationId: number, userId: string, searchId: number): Promise<SavedSearch | null> {
      const row = await visible(organizationId, userId).where('id', '=', searchId).executeTakeFirst();
      return row ? toSavedSearch(row) : null;
    },

    /** How many the user saved. */
    async count(organizationId: number, userId: string): Promise<number> {
      const { count } = await db
        .selectFrom('saved_searches')
        .select((search) => search.fn.countAll<number>().as('count'))
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return count;
    },

    /** Throws Conflict when the name is taken. */
    async create(
      organizationId: number,
      userId: string,
      { name, query, sort, isShared }: SavedSearchInput,
      atMs: number,
    ): Promise<SavedSearch> {
      return await refuseTaken(null, nameTaken(name), async () => {
        const row = await db
          .insertInto('saved_searches')
          .values({
            organization_id: organizationId,
            user_id: userId,
            name,
            query,
            sort,
            is_shared: isShared,
            created_at: new Date(atMs),
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        return toSavedSearch(row);
      });
    },

    /** null when it is gone. Throws Conflict when the name is taken. */
    async update(
      organizationId: number,
      searchId: number,
      change: Partial<SavedSearchInput>,
    ): Promise<SavedSearch | null> {
      const { name, query, sort, isShared } = change;
      const set = {
        ...(name === undefined ? {} : { name }),
        ...(query === undefined ? {} : { query }),
        ...(sort === undefined ? {} : { sort }),
        ...(isShared === undefined ? {} : { is_shared: isShared }),
      };
      return await refuseTaken(null, nameTaken(name ?? 'this'), async () => {
        const row = await db
          .updateTable('saved_searches')
          .set(set)
          .where('organization_id', '=', organizationId)
          .where('id', '=', searchId)
          .returningAll()
          .executeTakeFirst();
        return row ? toSavedSearch(row) : null;
      });
    },

    /** False when there was none. */
    async delete(organizationId: number, searchId: number): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('saved_searches')
        .where('organization_id', '=', organizationId)
        .where('id', '=', searchId)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

export type SavedSearchStore = ReturnType<typeof createSavedSearchStore>;

const nameTaken = (name: string) => () =>
  conflict(`A saved search named "${name}" already exists: choose another name`, 'name');

const toSavedSearch = ({
  organization_id: _organization_id,
  ...row
}: Selectable<Database['saved_searches']>): SavedSearch => camelRow(row);
