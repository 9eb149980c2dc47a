import { z } from 'zod';
import { del, get, type Operation, post, put } from '#app/api/0/operation.ts';
import { readPathNumber } from '#app/api/0/path-scope.ts';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import type { Context } from '#product/context.ts';
import type { SavedSearch, SavedSearchInput } from '#product/saved-searches/saved-search-store.ts';
import {
  createSavedSearch,
  deleteSavedSearch,
  listSavedSearches,
  updateSavedSearch,
} from '#product/saved-searches/saved-searches.ts';
import { QUERY_CHARACTERS_MAX } from '#product/search/syntax/parse-search.ts';

export const SAVED_SEARCH = z
  .object({
    id: z.string(),
    type: z.number(),
    name: z.string(),
    query: z.string(),
    sort: z.enum(['date', 'new', 'freq']),
    visibility: z.string(),
    dateCreated: z.string(),
    isGlobal: z.boolean(),
    isPinned: z.boolean(),
  })
  .meta({ id: 'SavedSearch' });

/** The shape of Sentry's: `type` 0 is a search of issues, `visibility` who sees it. */
const NEW_SAVED_SEARCH = z.strictObject({
  type: z.literal(0).optional(),
  name: z.string(),
  query: z.string().max(QUERY_CHARACTERS_MAX),
  sort: z.enum(['date', 'new', 'freq']).default('date'),
  visibility: z.enum(['owner', 'organization']).default('owner'),
});

const SAVED_SEARCH_CHANGE = z.strictObject({
  type: z.literal(0).optional(),
  name: z.string().optional(),
  query: z.string().max(QUERY_CHARACTERS_MAX).optional(),
  sort: z.enum(['date', 'new', 'freq']).optional(),
  visibility: z.enum(['owner', 'organization']).optional(),
});

export const savedSearchOperations: readonly Operation[] = [
  get('organizations/[org]/searches', {
    summary: 'Lists saved searches',
    scopes: ['event:read'],
    answer: z.array(SAVED_SEARCH),
    async handle({ ctx }) {
      const searches = await listSavedSearches(ctx);
      return searches.map(serializeSavedSearch);
    },
  }),

  post('organizations/[org]/searches', {
    summary: 'Saves a search',
    scopes: ['event:write'],
    body: NEW_SAVED_SEARCH,
    answer: SAVED_SEARCH,
    status: 201,
    async handle({ ctx, body }) {
      const { name, query, sort, visibility } = body;
      const input = { name, query, sort, isShared: visibility === 'organization' };
      const search = await createSavedSearch(ctx, input);
      return serializeSavedSearch(search);
    },
  }),

  put('organizations/[org]/searches/[search]', {
    summary: 'Updates a saved search',
    scopes: ['event:write'],
    body: SAVED_SEARCH_CHANGE,
    answer: SAVED_SEARCH,
    async handle({ ctx, params, body }) {
      const { name, query, sort, visibility } = body;
      const change: Partial<SavedSearchInput> = {
        ...(name === undefined ? {} : { name }),
        ...(query === undefined ? {} : { query }),
        ...(sort === undefined ? {} : { sort }),
        ...(visibility === undefined ? {} : { isShared: visibility === 'organization' }),
      };
      return serializeSavedSearch(await updateSavedSearch(ctx, readSearchId(ctx, params), change));
    },
  }),

  del('organizations/[org]/searches/[search]', {
    summary: 'Deletes a saved search',
    scopes: ['event:write'],
    answer: null,
    async handle({ ctx, params }) {
      await deleteSavedSearch(ctx, readSearchId(ctx, params));
    },
  }),
];

const readSearchId = ({ organization }: Context, { search }: { search: string }): number =>
  readPathNumber(
    search,
    `The organization ${organization.slug} has no saved search "${search.slice(0, 40)}"`,
  );

/** The shape of Sentry's; none is global or pinned here. */
export const serializeSavedSearch = (search: SavedSearch) => ({
  id: String(search.id),
  type: 0,
  name: search.name,
  query: search.query,
  sort: search.sort,
  visibility: search.isShared ? 'organization' : 'owner',
  dateCreated: isoOfMs(search.createdAt),
  isGlobal: false,
  isPinned: false,
});
