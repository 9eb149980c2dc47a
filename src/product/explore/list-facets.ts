import { invalid } from '#lib/errors.ts';
import { limitConcurrency } from '#lib/limit-concurrency.ts';
import type { Context } from '#product/context.ts';
import { listTagKeys } from './explore-fields.ts';
import type { Question } from './open-question.ts';
import { groupRows } from './rows/explored-rows.ts';

/** Values of one key. */
const FACET_VALUES_MAX = 10;
/** Keys of one page: the values of each are a question to the store. */
export const FACETS_MAX = 50;
const QUESTIONS_MAX = 4;

export type Facet = { key: string; values: readonly { value: string; events: number }[] };

/**
 * What the events of a question carry: its projects, then each key of their tags, the most frequent first, with its most
 * frequent values. Throws Invalid and NotFound.
 */
export async function listFacets(
  ctx: Context,
  question: Question,
  page: { limit: number; offset: number },
): Promise<{ facets: readonly Facet[]; hasMore: boolean }> {
  if (!(page.limit >= 1 && page.limit <= FACETS_MAX)) {
    throw invalid(`A page has from 1 to ${FACETS_MAX} keys`, 'limit');
  }
  const tags = await listTagKeys(ctx, question);
  const fields = ['project', ...tags.map((key) => `tags[${key}]`)];
  const end = page.offset + page.limit;
  const read = limitConcurrency(async (field: string): Promise<Facet> => {
    const { groups } = await groupRows(
      ctx,
      { ...question, dataset: 'errors' },
      { groupBy: [field], functions: ['count()'], sort: null, limit: FACET_VALUES_MAX, offset: 0 },
    );
    const values = groups.flatMap(({ keys: [value], values: [events] }) =>
      value ? [{ value, events: events ?? 0 }] : [],
    );
    return { key: field === 'project' ? field : field.slice('tags['.length, -1), values };
  }, QUESTIONS_MAX);
  const facets = await Promise.all(fields.slice(page.offset, end).map((field) => read(field)));
  return { facets: facets.filter(({ values }) => values.length > 0), hasMore: end < fields.length };
}
