'use server';

import { refresh } from 'next/cache';
import { z } from 'zod';
import { isErrataError } from '#lib/errors.ts';
import { createSavedSearch } from '#product/saved-searches/create-saved-search.ts';
import { deleteSavedSearch } from '#product/saved-searches/delete-saved-search.ts';
import { type Suggestions, suggestSearch } from '#product/search/suggest/suggest-search.ts';
import { QUERY_CHARACTERS_MAX } from '#product/search/syntax/parse-search.ts';
import { getRequestContext } from '../../request-context.ts';

export type SavedSearchResult = { ok: true } | { ok: false; message: string };

const organizationSlug = z.string().max(50);
const query = z.string().max(QUERY_CHARACTERS_MAX);
const SUGGEST_INPUT = z.object({
  organizationSlug,
  query,
  caret: z.number().int().min(0).max(QUERY_CHARACTERS_MAX),
  projectSlugs: z.array(z.string().max(100)).max(100),
});
const SAVE_INPUT = z.object({
  organizationSlug,
  name: z.string().max(200),
  query,
  sort: z.enum(['date', 'new', 'freq']),
  isShared: z.boolean(),
});
const DELETE_INPUT = z.object({ organizationSlug, searchId: z.number().int().positive() });

/** How the search could go on at the caret; null where nothing can be said. */
export async function suggest(input: {
  organizationSlug: string;
  query: string;
  caret: number;
  projectSlugs: string[];
}): Promise<Suggestions | null> {
  const { organizationSlug: slug, ...rest } = SUGGEST_INPUT.parse(input);
  try {
    return await suggestSearch(await getRequestContext(slug), rest);
  } catch (error) {
    // A search can be written without help.
    if (isErrataError(error)) return null;
    throw error;
  }
}

export async function saveSearch(input: {
  organizationSlug: string;
  name: string;
  query: string;
  sort: 'date' | 'new' | 'freq';
  isShared: boolean;
}): Promise<SavedSearchResult> {
  const { organizationSlug: slug, ...search } = SAVE_INPUT.parse(input);
  return await changing(async () => {
    await createSavedSearch(await getRequestContext(slug), search);
  });
}

export async function deleteSearch(input: {
  organizationSlug: string;
  searchId: number;
}): Promise<SavedSearchResult> {
  const { organizationSlug: slug, searchId } = DELETE_INPUT.parse(input);
  return await changing(async () => {
    await deleteSavedSearch(await getRequestContext(slug), searchId);
  });
}

async function changing(change: () => Promise<void>): Promise<SavedSearchResult> {
  try {
    await change();
    refresh();
    return { ok: true };
  } catch (error) {
    if (isErrataError(error)) return { ok: false, message: error.message };
    throw error;
  }
}
