'use server';

import { z } from 'zod';
import { parsePageFilters, timeBounds } from '#app/url-state.ts';
import { isErrataError } from '#lib/errors.ts';
import { suggestRowSearch } from '#product/explore/rows/suggest-row-search.ts';
import { suggestSearch } from '#product/search/suggest/suggest-search.ts';
import type { Suggestions } from '#product/search/suggest/suggestions.ts';
import { QUERY_CHARACTERS_MAX } from '#product/search/syntax/parse-search.ts';
import { getRequestContext } from '../../request-context.ts';
import { SEARCH_SUBJECTS } from './search-subject.ts';

const TEXT = z.string().max(200);
const INPUT = z.object({
  organizationSlug: z.string().max(50),
  subject: z.enum(SEARCH_SUBJECTS),
  query: z.string().max(QUERY_CHARACTERS_MAX),
  caret: z.number().int().min(0).max(QUERY_CHARACTERS_MAX),
  /** The filters of the page, as they stand in its address. */
  filters: z.record(TEXT, z.union([TEXT, z.array(TEXT).max(100)])),
});

/** How the search could go on at the caret; null where nothing can be said. */
export async function suggest(input: z.input<typeof INPUT>): Promise<Suggestions | null> {
  const { organizationSlug, filters, ...rest } = INPUT.parse(input);
  const { projects, environments, time } = parsePageFilters(filters);
  try {
    const ctx = await getRequestContext(organizationSlug);
    const range = timeBounds(time, ctx.now());
    const { subject } = rest;
    return subject === 'issues' || subject === 'events'
      ? await suggestSearch(ctx, { ...rest, subject, projectSlugs: projects, environments, range })
      : await suggestRowSearch(ctx, { ...rest, dataset: subject, projectSlugs: projects, range });
  } catch (error) {
    // A search can be written without help.
    if (isErrataError(error)) return null;
    throw error;
  }
}
