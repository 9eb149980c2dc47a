import { type Kysely, type Selectable, sql } from 'kysely';
import type { IssueSort } from '#domain/issues/issue.ts';
import { conflict } from '#lib/errors.ts';
import type { RowDataset } from '#storage/ports/explore-rows.ts';
import type { SavedQuestion } from '#storage/ports/saved-question.ts';
import { refuseTaken } from '#storage/sql/postgres-errors.ts';
import type { Database } from '#storage/sql/schema.ts';

/** A search with a name. */
export type Saved = {
  id: number;
  /** Who saved it. */
  userId: string;
  name: string;
  query: string;
  /** Whether everybody of the organization sees it; else only who saved it. */
  isShared: boolean;
  /** Milliseconds since the epoch. */
  createdAt: number;
};

export type SavedSearch = Saved & { sort: IssueSort };

/** A question of Explore. */
export type SavedQuery = Saved & {
  dataset: 'errors' | RowDataset;
  question: SavedQuestion;
  /** By the user who asks. */
  isStarred: boolean;
  /** Milliseconds since the epoch. */
  updatedAt: number;
};

type Named = 'name' | 'query' | 'isShared';
export type SavedSearchInput = Pick<SavedSearch, Named | 'sort'>;
export type SavedQueryInput = Pick<SavedQuery, Named | 'dataset' | 'question'>;

type SavedRow = Selectable<Database['saved_searches']> & { is_starred: boolean };

/** Searches of issues, by name: the user's own, then the shared ones. */
export const createSavedSearchStore = (db: Kysely<Database>) =>
  createStore<SavedSearch, SavedSearchInput>(db, {
    one: 'saved search',
    isOfKind: sql<boolean>`dataset = 'issues'`,
    order: sql`is_shared, lower(name), id`,
    read: (saved, { sort }) => ({ ...saved, sort: sort ?? 'date' }),
    columns: ({ sort }) => ({ sort }),
  });

/** Questions of Explore: those that the user starred, then those that were saved last. */
export const createSavedQueryStore = (db: Kysely<Database>) =>
  createStore<SavedQuery, SavedQueryInput>(db, {
    one: 'saved query',
    isOfKind: sql<boolean>`dataset <> 'issues'`,
    order: sql`is_starred DESC, updated_at DESC, id DESC`,
    read: (saved, { dataset, question, is_starred, updated_at }) => ({
      ...saved,
      dataset: dataset as SavedQuery['dataset'],
      question: question!,
      isStarred: is_starred,
      updatedAt: updated_at.getTime(),
    }),
    columns: ({ dataset, question }) => ({ dataset, question: question && JSON.stringify(question) }),
  });

/** Source: PostgreSQL. Every call is scoped by organization. */
function createStore<Kept extends Saved, Input extends Pick<Saved, Named>>(
  db: Kysely<Database>,
  kind: {
    one: string;
    isOfKind: ReturnType<typeof sql<boolean>>;
    order: ReturnType<typeof sql>;
    read: (saved: Saved, row: SavedRow) => Kept;
    /** What is not common to all kinds; undefined stays as it is. */
    columns: (input: Partial<Input>) => { sort?: IssueSort; dataset?: string; question?: string };
  },
) {
  const { isOfKind, order, columns } = kind;
  const isStarred = (userId: string) =>
    sql<boolean>`EXISTS (SELECT FROM saved_search_stars WHERE search_id = id
      AND saved_search_stars.user_id = ${userId})`.as('is_starred');
  const visible = (organizationId: number, userId: string) =>
    db
      .selectFrom('saved_searches')
      .selectAll()
      .select(isStarred(userId))
      .where('organization_id', '=', organizationId)
      .where(isOfKind)
      .where((search) => search.or([search('is_shared', '=', true), search('user_id', '=', userId)]));
  const read = (row: SavedRow): Kept =>
    kind.read(
      {
        id: row.id,
        userId: row.user_id,
        name: row.name,
        query: row.query,
        isShared: row.is_shared,
        createdAt: row.created_at.getTime(),
      },
      row,
    );
  const nameTaken = (name: string) => () =>
    conflict(`A ${kind.one} named "${name}" already exists: choose another name`, 'name');
  return {
    list: async (organizationId: number, userId: string, limit: number): Promise<readonly Kept[]> =>
      (await visible(organizationId, userId).orderBy(order).limit(limit).execute()).map(read),

    /** null when there is none that the user sees. */
    async find(organizationId: number, userId: string, searchId: number): Promise<Kept | null> {
      const row = await visible(organizationId, userId).where('id', '=', searchId).executeTakeFirst();
      return row ? read(row) : null;
    },

    /** How many the user saved. */
    async count(organizationId: number, userId: string): Promise<number> {
      const { count } = await db
        .selectFrom('saved_searches')
        .select((search) => search.fn.countAll<number>().as('count'))
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .where(isOfKind)
        .executeTakeFirstOrThrow();
      return count;
    },

    /** Throws Conflict when the name is taken. */
    async create(organizationId: number, userId: string, input: Input, atMs: number): Promise<Kept> {
      return await refuseTaken(null, nameTaken(input.name), async () => {
        const row = await db
          .insertInto('saved_searches')
          .values({
            organization_id: organizationId,
            user_id: userId,
            name: input.name,
            query: input.query,
            is_shared: input.isShared,
            created_at: new Date(atMs),
            updated_at: new Date(atMs),
            ...columns(input),
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        return read({ ...row, is_starred: false });
      });
    },

    /** As `userId` sees it; null when it is gone. Throws Conflict when the name is taken. */
    async update(
      organizationId: number,
      userId: string,
      searchId: number,
      change: Partial<Input>,
      atMs: number,
    ): Promise<Kept | null> {
      return await refuseTaken(null, nameTaken(change.name ?? 'this'), async () => {
        const row = await db
          .updateTable('saved_searches')
          .set({
            name: change.name,
            query: change.query,
            is_shared: change.isShared,
            updated_at: new Date(atMs),
            ...columns(change),
          })
          .where('organization_id', '=', organizationId)
          .where(isOfKind)
          .where('id', '=', searchId)
          .returningAll()
          .returning(isStarred(userId))
          .executeTakeFirst();
        return row ? read(row) : null;
      });
    },

    /** False when there was none. */
    async delete(organizationId: number, searchId: number): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('saved_searches')
        .where('organization_id', '=', organizationId)
        .where(isOfKind)
        .where('id', '=', searchId)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** Puts a search, which the user sees, at the top of the user's list, or takes it away from there. */
    async star(userId: string, searchId: number, isStarred: boolean): Promise<void> {
      const key = { search_id: searchId, user_id: userId };
      if (isStarred) {
        await db
          .insertInto('saved_search_stars')
          .values(key)
          .onConflict((taken) => taken.doNothing())
          .execute();
      } else {
        await db
          .deleteFrom('saved_search_stars')
          .where('search_id', '=', searchId)
          .where('user_id', '=', userId)
          .execute();
      }
    },
  };
}

/** Of searches of any kind. */
export type StoreOf<Kept extends Saved, Input extends Pick<Saved, Named>> = ReturnType<
  typeof createStore<Kept, Input>
>;
export type SavedSearchStore = ReturnType<typeof createSavedSearchStore>;
export type SavedQueryStore = ReturnType<typeof createSavedQueryStore>;
