import { type Kysely, type Selectable, sql } from 'kysely';
import { conflict } from '#lib/errors.ts';
import type { SavedSearch, SavedSearchStore } from '#storage/ports/saved-searches.ts';
import { isUniqueViolation } from '../postgres-errors.ts';
import type { Database } from '../schema.ts';

export function createSavedSearchStore(db: Kysely<Database>): SavedSearchStore {
  const visible = (organizationId: number, userId: string) =>
    db
      .selectFrom('saved_searches')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where((search) => search.or([search('is_shared', '=', true), search('user_id', '=', userId)]));
  return {
    async list(organizationId, userId, limit) {
      const rows = await visible(organizationId, userId)
        .orderBy('is_shared')
        .orderBy(sql`lower(name)`)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(toSavedSearch);
    },

    async find(organizationId, userId, searchId) {
      const row = await visible(organizationId, userId).where('id', '=', searchId).executeTakeFirst();
      return row ? toSavedSearch(row) : null;
    },

    async count(organizationId, userId) {
      const { count } = await db
        .selectFrom('saved_searches')
        .select((search) => search.fn.countAll<number>().as('count'))
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return count;
    },

    async create(organizationId, userId, { name, query, sort, isShared }, atMs) {
      return await refusingTaken(name, async () => {
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

    async update(organizationId, searchId, change) {
      const { name, query, sort, isShared } = change;
      const set = {
        ...(name === undefined ? {} : { name }),
        ...(query === undefined ? {} : { query }),
        ...(sort === undefined ? {} : { sort }),
        ...(isShared === undefined ? {} : { is_shared: isShared }),
      };
      return await refusingTaken(name ?? 'this', async () => {
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

    async delete(organizationId, searchId) {
      const { numDeletedRows } = await db
        .deleteFrom('saved_searches')
        .where('organization_id', '=', organizationId)
        .where('id', '=', searchId)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

async function refusingTaken<Result>(name: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw conflict(`A saved search is called "${name}" already: choose another name`, 'name');
  }
}

const toSavedSearch = (row: Selectable<Database['saved_searches']>): SavedSearch => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  query: row.query,
  sort: row.sort,
  isShared: row.is_shared,
  createdAt: row.created_at.getTime(),
});
