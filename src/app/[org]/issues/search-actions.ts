'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { isErrataError } from '#lib/errors.ts';
import { createSavedSearch, deleteSavedSearch } from '#product/saved-searches/saved-searches.ts';
import { QUERY_CHARACTERS_MAX } from '#product/search/syntax/parse-search.ts';
import { getRequestContext } from '../../request-context.ts';

export type SavedSearchResult = { ok: true } | { ok: false; message: string };

const organizationSlug = z.string().max(50);
const query = z.string().max(QUERY_CHARACTERS_MAX);
const SAVE_INPUT = z.object({
  organizationSlug,
  name: z.string().max(200),
  query,
  sort: z.enum(['date', 'new', 'freq']),
  isShared: z.boolean(),
});
const DELETE_INPUT = z.object({ organizationSlug, searchId: z.number().int().positive() });

export async function saveSearch(input: {
  organizationSlug: string;
  name: string;
  query: string;
  sort: 'date' | 'new' | 'freq';
  isShared: boolean;
}): Promise<SavedSearchResult> {
  const { organizationSlug: slug, ...search } = SAVE_INPUT.parse(input);
  return await changing(slug, async () => {
    await createSavedSearch(await getRequestContext(slug), search);
  });
}

export async function deleteSearch(input: {
  organizationSlug: string;
  searchId: number;
}): Promise<SavedSearchResult> {
  const { organizationSlug: slug, searchId } = DELETE_INPUT.parse(input);
  return await changing(slug, async () => {
    await deleteSavedSearch(await getRequestContext(slug), searchId);
  });
}

async function changing(slug: string, change: () => Promise<void>): Promise<SavedSearchResult> {
  try {
    await change();
    revalidatePath(`/${slug}`, 'layout');
    return { ok: true };
  } catch (error) {
    if (isErrataError(error)) return { ok: false, message: error.message };
    throw error;
  }
}
