import { scoreVitals, type VitalValues, WEB_VITALS } from '#domain/traces/web-vitals.ts';
import type { Context } from '#product/context.ts';
import { groupRows } from '#product/explore/rows/explored-rows.ts';
import type { PerformancePage } from './list-performance.ts';
import { type PerformanceQuestion, spansOf } from './performance-search.ts';

/** Page loads and interactions that measured something, and their vitals: 75% were at most as slow. */
export type VitalsSummary = {
  count: number;
  /** By the id of the vital; those that nobody measured are absent. */
  p75: VitalValues;
  /** From 0 to 100; null when nothing was measured. */
  score: number | null;
};

export type WebVitals = {
  overall: VitalsSummary;
  pages: readonly (VitalsSummary & { transaction: string; projectSlug: string })[];
  /** How many pages there are in all. */
  distinct: number;
  hasMore: boolean;
};

/** Spans that measured a vital. */
export const VITAL_SPANS = WEB_VITALS.map(({ id }) => `has:${id}`).join(' OR ');

export const vitalFunction = (id: string): string => `p75(${id})`;
const FUNCTIONS = ['count()', ...WEB_VITALS.map(({ id }) => vitalFunction(id))];

/** Web vitals overall and of each page, those with most measurements first. Throws Invalid and NotFound. */
export async function getWebVitals(
  ctx: Context,
  question: PerformanceQuestion,
  page: PerformancePage,
): Promise<WebVitals> {
  const asked = spansOf(question, VITAL_SPANS);
  const [all, pages] = await Promise.all([
    groupRows(ctx, asked, { groupBy: [], functions: FUNCTIONS, sort: null, limit: 1, offset: 0 }),
    groupRows(ctx, asked, { groupBy: ['transaction', 'project'], functions: FUNCTIONS, ...page }),
  ]);
  return {
    overall: summaryOf(all.groups[0]?.values ?? []),
    pages: pages.groups.map(({ keys: [transaction = '', projectSlug = ''], values }) => ({
      transaction,
      projectSlug,
      ...summaryOf(values),
    })),
    distinct: pages.distinct,
    hasMore: pages.hasMore,
  };
}

function summaryOf([count, ...values]: readonly (number | null)[]): VitalsSummary {
  const p75: VitalValues = Object.fromEntries(
    WEB_VITALS.flatMap(({ id }, index) => {
      const value = values[index] ?? null;
      return value === null ? [] : [[id, value]];
    }),
  );
  return { count: count ?? 0, p75, score: scoreVitals(p75) };
}
