import { z } from 'zod';
import { type ApiCaller, contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { SAVED_SEARCH } from '#app/api/0/schemas/saved-search.ts';
import { serializeSavedSearch } from '#app/api/0/serializers/serialize-saved-search.ts';
import { notFound } from '#lib/errors.ts';
import type { SavedSearchInput } from '#product/saved-searches/saved-search-store.ts';
import {
  createSavedSearch,
  deleteSavedSearch,
  listSavedSearches,
  updateSavedSearch,
} from '#product/saved-searches/saved-searches.ts';
import { QUERY_CHARACTERS_MAX } from '#product/search/syntax/parse-search.ts';

type OrganizationParams = { org: string };
type SearchParams = OrganizationParams & { search: string };

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

const LIST_SAVED_SEARCHES = {
  summary: 'Lists saved searches',
  scopes: ['event:read'],
  answer: z.array(SAVED_SEARCH),
} satisfies Operation;

export const listSavedSearchesEndpoint = declare<OrganizationParams>(
  LIST_SAVED_SEARCHES,
  async ({ caller, params }) => {
    const searches = await listSavedSearches(contextOf(caller, params.org));
    return { body: searches.map(serializeSavedSearch) };
  },
);

const CREATE_SAVED_SEARCH = {
  summary: 'Saves a search',
  scopes: ['event:write'],
  body: NEW_SAVED_SEARCH,
  answer: SAVED_SEARCH,
  status: 201,
} satisfies Operation;

export const createSavedSearchEndpoint = declare<OrganizationParams>(CREATE_SAVED_SEARCH, async (call) => {
  const { name, query, sort, visibility } = await readJsonBody(call.request, NEW_SAVED_SEARCH);
  const input = { name, query, sort, isShared: visibility === 'organization' };
  const search = await createSavedSearch(contextOf(call.caller, call.params.org), input);
  return { body: serializeSavedSearch(search), status: 201 };
});

const UPDATE_SAVED_SEARCH = {
  summary: 'Changes a saved search',
  scopes: ['event:write'],
  body: SAVED_SEARCH_CHANGE,
  answer: SAVED_SEARCH,
} satisfies Operation;

export const updateSavedSearchEndpoint = declare<SearchParams>(
  UPDATE_SAVED_SEARCH,
  async ({ caller, params, request }) => {
    const { name, query, sort, visibility } = await readJsonBody(request, SAVED_SEARCH_CHANGE);
    const change: Partial<SavedSearchInput> = {
      ...(name === undefined ? {} : { name }),
      ...(query === undefined ? {} : { query }),
      ...(sort === undefined ? {} : { sort }),
      ...(visibility === undefined ? {} : { isShared: visibility === 'organization' }),
    };
    const { ctx, searchId } = contextOfSearch(caller, params);
    return { body: serializeSavedSearch(await updateSavedSearch(ctx, searchId, change)) };
  },
);

const DELETE_SAVED_SEARCH = {
  summary: 'Deletes a saved search',
  scopes: ['event:write'],
  answer: null,
} satisfies Operation;

export const deleteSavedSearchEndpoint = declare<SearchParams>(
  DELETE_SAVED_SEARCH,
  async ({ caller, params }) => {
    const { ctx, searchId } = contextOfSearch(caller, params);
    await deleteSavedSearch(ctx, searchId);
    return { body: null, status: 204 };
  },
);

function contextOfSearch(caller: ApiCaller, params: SearchParams) {
  const ctx = contextOf(caller, params.org);
  if (!/^\d{1,15}$/.test(params.search)) {
    throw notFound(
      `The organization ${ctx.organization.slug} has no saved search "${params.search.slice(0, 40)}"`,
    );
  }
  return { ctx, searchId: Number(params.search) };
}
