'use server';

import { z } from 'zod';
import { isErrataError } from '#lib/errors.ts';
import { type Suggestions, suggestSearch } from '#product/search/suggest/suggest-search.ts';
import { QUERY_CHARACTERS_MAX } from '#product/search/syntax/parse-search.ts';
import { getRequestContext } from '../../request-context.ts';

const INPUT = z.object({
  organizationSlug: z.string().max(50),
  subject: z.enum(['issues', 'events']),
  query: z.string().max(QUERY_CHARACTERS_MAX),
  caret: z.number().int().min(0).max(QUERY_CHARACTERS_MAX),
  projectSlugs: z.array(z.string().max(100)).max(100),
});

/** How the search could go on at the caret; null where nothing can be said. */
export async function suggest(input: z.input<typeof INPUT>): Promise<Suggestions | null> {
  const { organizationSlug: slug, ...rest } = INPUT.parse(input);
  try {
    return await suggestSearch(await getRequestContext(slug), rest);
  } catch (error) {
    // A search can be written without help.
    if (isErrataError(error)) return null;
    throw error;
  }
}
