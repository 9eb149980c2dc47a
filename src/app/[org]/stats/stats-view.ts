import {
  firstValue,
  parseProjects,
  RANGES,
  type RangeKey,
  rangeBounds,
  type SearchParams,
} from '#app/url-state.ts';
import { alignRange } from '#product/time-buckets.ts';
import { CATEGORIES, type Category, EXPIRED, OUTCOMES, type Outcome } from '#protocol/outcome.ts';
import type { OutcomeSeries } from '#storage/ports/digest.ts';

const HOUR_MS = 3_600_000;

/** Ranges of the page with the size of their bars; outcomes are counted by the hour. */
export const STATS_RANGES = {
  '24h': HOUR_MS,
  '7d': 6 * HOUR_MS,
  '14d': 12 * HOUR_MS,
  '30d': 24 * HOUR_MS,
  '90d': 48 * HOUR_MS,
} as const satisfies Partial<Record<RangeKey, number>>;
export type StatsRange = keyof typeof STATS_RANGES;
const STATS_RANGE_DEFAULT: StatsRange = '14d';

/** What the page shows, from its URL. */
export type StatsView = {
  rangeKey: StatsRange;
  projectSlugs: readonly string[];
  /** null: errors, or the category with the most items when there are none. */
  category: Category | null;
  bucketMs: number;
  /** Whole buckets, ends after now. */
  range: { fromMs: number; toMs: number };
};

export function parseStatsView(params: SearchParams, nowMs: number): StatsView {
  const rangeKey = toStatsRange(firstValue(params, 'range'));
  const category = firstValue(params, 'category');
  const bucketMs = STATS_RANGES[rangeKey];
  // The bar that is being filled counts as one of the range.
  const { fromMs, toMs } = rangeBounds(rangeKey, nowMs);
  return {
    rangeKey,
    projectSlugs: parseProjects(params),
    category: CATEGORIES.find((each) => each === category) ?? null,
    bucketMs,
    range: alignRange({ fromMs: fromMs + bucketMs, toMs }, bucketMs),
  };
}

/** A range of the other pages that this one does not have becomes its nearest. */
function toStatsRange(value: string | null): StatsRange {
  if (value === '1h') return '24h';
  const known = RANGES.find((range) => range === value);
  return known && known in STATS_RANGES ? (known as StatsRange) : STATS_RANGE_DEFAULT;
}

export type CategoryTotal = { category: Category; total: number };

/** Categories that have items, most first. */
export function categoryTotals(series: readonly OutcomeSeries[]): readonly CategoryTotal[] {
  return CATEGORIES.map((category) => ({
    category,
    total: sumTotals(series.filter((each) => each.category === category && each.outcome !== EXPIRED)),
  }))
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total);
}

export type OutcomeTotal = { outcome: Outcome; total: number; buckets: readonly number[] };

/** Every outcome with its counts over time, in the order of the protocol, absent ones with zeros. */
export function outcomeTotals(
  series: readonly OutcomeSeries[],
  category: Category,
  bucketCount: number,
): readonly OutcomeTotal[] {
  return OUTCOMES.map((outcome) => {
    const own = series.filter((each) => each.category === category && each.outcome === outcome);
    return {
      outcome,
      total: sumTotals(own),
      buckets: Array.from({ length: bucketCount }, (_, index) =>
        own.reduce((sum, each) => sum + (each.buckets[index] ?? 0), 0),
      ),
    };
  });
}

export type ReasonTotal = { outcome: string; reason: string; total: number };

/** Reasons of one category, most first; what was accepted comes late, and what expired of it last. */
export function reasonTotals(series: readonly OutcomeSeries[], category: Category): readonly ReasonTotal[] {
  return series
    .filter((each) => each.category === category && each.total > 0)
    .map(({ outcome, reason, total }) => ({ outcome, reason, total }))
    .sort(
      (a, b) =>
        Number(a.outcome === EXPIRED) - Number(b.outcome === EXPIRED) ||
        Number(a.outcome === 'accepted') - Number(b.outcome === 'accepted') ||
        b.total - a.total ||
        a.reason.localeCompare(b.reason),
    );
}

const sumTotals = (series: readonly OutcomeSeries[]): number =>
  series.reduce((sum, each) => sum + each.total, 0);
