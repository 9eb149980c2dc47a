import {
  firstValue,
  type PageFilters,
  parsePageFilters,
  type SearchParams,
  timeBounds,
} from '#app/url-state.ts';
import { HOUR_MS } from '#lib/time.ts';
import type { OutcomeSeries } from '#product/stats/outcome-store.ts';
import { alignRange } from '#product/time-buckets.ts';
import { CATEGORIES, type Category, EXPIRED, OUTCOMES } from '#protocol/outcome.ts';

/** Outcomes are counted by the hour. */
const BUCKET_SIZES_MS = [1, 2, 3, 6, 12, 24, 48, 7 * 24, 14 * 24].map((hours) => hours * HOUR_MS);
const BUCKETS_MAX = 46;
/** Fewer bars show all of the time, and not only its whole hours. */
const BUCKETS_FEW = 6;

/** What the page shows, from its URL. */
export type StatsView = {
  filters: PageFilters;
  /** null: errors, or the category with the most items when there are none. */
  category: Category | null;
  bucketMs: number;
  /** Whole buckets, ends after now unless the chosen time is over. */
  range: { fromMs: number; toMs: number };
};

export function parseStatsView(params: SearchParams, nowMs: number): StatsView {
  const filters = parsePageFilters(params);
  const category = firstValue(params, 'category');
  const { fromMs, toMs } = timeBounds(filters.time, nowMs);
  const bucketMs =
    BUCKET_SIZES_MS.find((size) => (toMs - fromMs) / size <= BUCKETS_MAX) ?? BUCKET_SIZES_MS.at(-1)!;
  // The bar that is being filled counts as one of a range that ends now.
  const isFilling = filters.time.kind === 'last' && (toMs - fromMs) / bucketMs >= BUCKETS_FEW;
  return {
    filters,
    category: CATEGORIES.find((each) => each === category) ?? null,
    bucketMs,
    range: alignRange({ fromMs: isFilling ? fromMs + bucketMs : fromMs, toMs }, bucketMs),
  };
}

/** Categories that have items, most first. */
export function categoryTotals(series: readonly OutcomeSeries[]) {
  return CATEGORIES.map((category) => ({
    category,
    total: sumTotals(series.filter((each) => each.category === category && each.outcome !== EXPIRED)),
  }))
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total);
}

/** Every outcome with its counts over time, in the order of the protocol, absent ones with zeros. */
export function outcomeTotals(series: readonly OutcomeSeries[], category: Category, bucketCount: number) {
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
