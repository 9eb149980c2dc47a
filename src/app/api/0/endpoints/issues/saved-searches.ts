import { z } from 'zod';
import { del, get, type Operation, post, put } from '#app/api/0/operation.ts';
import { readPathNumber } from '#app/api/0/path-scope.ts';
import { each, FALSE, idOf, isoMs, shapeOf, ZERO } from '#app/api/0/shape.ts';
import { ISSUE_SORTS } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import type { SavedSearch, SavedSearchInput } from '#product/saved-searches/saved-search-store.ts';
import {
  createSavedSearch,
  deleteSavedSearch,
  listSavedSearches,
  updateSavedSearch,
} from '#product/saved-searches/saved-searches.ts';
import { QUERY_CHARACTERS_MAX } from '#product/search/syntax/parse-search.ts';

const VISIBILITY = z.enum(['owner', 'organization']);
const SORT = z.enum(ISSUE_SORTS);

/** The shape of Sentry's; none is global or pinned here. */
export const [SAVED_SEARCH, serializeSavedSearch] = shapeOf<SavedSearch>()(
  {
    id: idOf('id'),
    type: ZERO,
    ...each(z.string(), 'name', 'query'),
    sort: SORT,
    visibility: [z.string(), ({ isShared }) => (isShared ? 'organization' : 'owner')],
    dateCreated: isoMs('createdAt'),
    ...each(FALSE, 'isGlobal', 'isPinned'),
  },
  'SavedSearch',
);

/** The shape of Sentry's: `type` 0 is a search of issues, `visibility` who sees it. */
const NEW_SAVED_SEARCH = z.strictObject({
  type: z.literal(0).optional(),
  name: z.string(),
  query: z.string().max(QUERY_CHARACTERS_MAX),
  sort: SORT.default('date'),
  visibility: VISIBILITY.default('owner'),
});

const SAVED_SEARCH_CHANGE = NEW_SAVED_SEARCH.partial().extend({
  sort: SORT.optional(),
  visibility: VISIBILITY.optional(),
});

export const savedSearchOperations: readonly Operation[] = [
  get('organizations/[org]/searches', {
    summary: 'Lists saved searches',
    scopes: ['event:read'],
    answer: z.array(SAVED_SEARCH),
    handle: async ({ ctx }) => (await listSavedSearches(ctx)).map(serializeSavedSearch),
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
      return serializeSavedSearch(await createSavedSearch(ctx, input));
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
    handle: async ({ ctx, params }) => deleteSavedSearch(ctx, readSearchId(ctx, params)),
  }),
];

const readSearchId = ({ organization }: Context, { search }: { search: string }): number =>
  readPathNumber(
    search,
    `The organization ${organization.slug} has no saved search "${search.slice(0, 40)}"`,
  );
