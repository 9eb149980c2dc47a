'use server';

import { z } from 'zod';
import type { Answer } from '#app/forms/submit-form.ts';
import {
  createSavedQuery,
  deleteSavedQuery,
  starSavedQuery,
  updateSavedQuery,
} from '#product/saved-searches/saved-queries.ts';
import { getRequestContext } from '../../../request-context.ts';
import { attempt } from '../../issues/attempt.ts';
import { paramsIn, parseRowsState, ROWS_PAGE_NAMES } from './rows-state.ts';
import { savedOf } from './saved-state.ts';

const organizationSlug = z.string().max(50);
const NAMED = { name: z.string().max(200), isShared: z.boolean() };
const ONE = { organizationSlug, queryId: z.number().int().positive() };

const SAVE_INPUT = z.object({
  organizationSlug,
  ...NAMED,
  isStarred: z.boolean(),
  page: z.enum(ROWS_PAGE_NAMES),
  /** The question, as it stands in the address of its page. */
  search: z.string().max(16_384),
});

/** Saves a question of Explore. */
export async function saveQuery(input: z.input<typeof SAVE_INPUT>): Promise<Answer<null>> {
  const { organizationSlug: slug, page, search, isStarred, ...named } = SAVE_INPUT.parse(input);
  return await attempt(slug, async () => {
    const ctx = await getRequestContext(slug);
    const state = parseRowsState(page, paramsIn(new URLSearchParams(search)));
    const { id } = await createSavedQuery(ctx, { ...named, ...savedOf(state) });
    if (isStarred) await starSavedQuery(ctx, id, true);
    return null;
  });
}

const CHANGE_INPUT = z.object({ ...ONE, ...NAMED });

/** Gives a saved question another name, or shows it to others. */
export async function changeQuery(input: z.input<typeof CHANGE_INPUT>): Promise<Answer<null>> {
  const { organizationSlug: slug, queryId, ...named } = CHANGE_INPUT.parse(input);
  return await attempt(slug, async () => {
    await updateSavedQuery(await getRequestContext(slug), queryId, named);
    return null;
  });
}

const STAR_INPUT = z.object({ ...ONE, isStarred: z.boolean() });

export async function starQuery(input: z.input<typeof STAR_INPUT>): Promise<Answer<null>> {
  const { organizationSlug: slug, queryId, isStarred } = STAR_INPUT.parse(input);
  return await attempt(slug, async () => {
    await starSavedQuery(await getRequestContext(slug), queryId, isStarred);
    return null;
  });
}

const DELETE_INPUT = z.object(ONE);

export async function deleteQuery(input: z.input<typeof DELETE_INPUT>): Promise<Answer<null>> {
  const { organizationSlug: slug, queryId } = DELETE_INPUT.parse(input);
  return await attempt(slug, async () => {
    await deleteSavedQuery(await getRequestContext(slug), queryId);
    return null;
  });
}
