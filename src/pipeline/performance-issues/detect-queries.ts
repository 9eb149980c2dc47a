import { bySibling, type Detector, longestUs, NO_MEASURES, splitRuns, sumUs } from './detector.ts';
import type { QuerySpan } from './prepare-transaction.ts';
import { THRESHOLDS } from './thresholds.ts';

/** Independent queries that the fingerprint of one run names. */
const FINGERPRINT_QUERIES_MAX = 10;

/** The same query again and again, one after the other, for what a query before it found. */
export const detectNPlusOneQueries: Detector = ({ queries, nameKey }) => {
  const { countMin, durationMinMs } = THRESHOLDS.nPlusOneQueries;
  const places = new Map(queries.map((each, index) => [each, index]));
  return bySibling(queries)
    .flatMap((siblings) => splitRuns(siblings, isSameAgain))
    .filter((run) => run.length >= countMin && sumUs(run) >= durationMinMs * 1_000)
    .flatMap((run) => {
      const first = run[0] as QuerySpan;
      const cause = lastBefore(queries, places.get(first) ?? 0);
      const key = first.query?.key;
      if (!cause || !key) return [];
      return {
        ...NO_MEASURES,
        type: 'performance_n_plus_one_db_queries',
        fingerprint: [nameKey, key],
        description: key,
        offenders: run.map(({ span }) => span),
        cause: cause.span,
        // One query in place of all of them takes about as long as the longest.
        savableUs: sumUs(run) - longestUs(run),
      };
    });
};

const isSameAgain = (previous: QuerySpan, next: QuerySpan): boolean =>
  next.query !== null && next.query.key === previous.query?.key && next.start >= previous.end;

/** The query that ended last before the one at `place` started, and is another one; null for none. */
function lastBefore(queries: readonly QuerySpan[], place: number): QuerySpan | null {
  const own = queries[place] as QuerySpan;
  for (let index = place - 1; index >= 0; index--) {
    const earlier = queries[index] as QuerySpan;
    if (earlier.end <= own.start && earlier.query?.key !== own.query?.key) return earlier;
  }
  return null;
}

/** Queries one after the other, of which some need nothing of those before them. */
export const detectConsecutiveQueries: Detector = ({ queries, nameKey }) => {
  const { savedMinMs, savedShareMin } = THRESHOLDS.consecutiveQueries;
  return bySibling(queries)
    .flatMap((siblings) => splitRuns(siblings, (previous, next) => next.start >= previous.end))
    .flatMap((run) => {
      const independent = run.slice(1).filter(isIndependent);
      if (independent.length === 0) return [];
      const totalUs = sumUs(run);
      // At best, the independent ones run beside each other and beside the others.
      const bestUs = Math.max(longestUs(independent), totalUs - sumUs(independent));
      const savableUs = totalUs - bestUs;
      if (savableUs < savedMinMs * 1_000 || savableUs < totalUs * savedShareMin) return [];
      const keys = [...new Set(independent.map(({ query }) => query?.key ?? ''))];
      return {
        ...NO_MEASURES,
        type: 'performance_consecutive_db_queries',
        fingerprint: [nameKey, ...keys.slice(0, FINGERPRINT_QUERIES_MAX)],
        description: keys[0] ?? '',
        offenders: independent.map(({ span }) => span),
        cause: run[0]?.span ?? null,
        savableUs,
      };
    });
};

const SELECT = /^\s*(?:\/\*[^*]*\*\/\s*)?select\b/i;

const isSelect = ({ span }: QuerySpan): boolean => SELECT.test(span.name);

/** A query that filters nothing and takes no parameter cannot need what another one found. */
const isIndependent = (each: QuerySpan): boolean =>
  each.query !== null &&
  !each.query.hasParameters &&
  each.end - each.start >= THRESHOLDS.consecutiveQueries.spanMinMs * 1_000 &&
  isSelect(each) &&
  !/\bwhere\b/i.test(each.query.key);

/** A query that takes long by itself. */
export const detectSlowQueries: Detector = ({ queries }) =>
  queries
    .filter((each) => each.end - each.start >= THRESHOLDS.slowQuery.durationMinMs * 1_000 && isSelect(each))
    .flatMap(({ span, query }) =>
      query === null
        ? []
        : {
            ...NO_MEASURES,
            type: 'performance_slow_db_query',
            fingerprint: [query.key],
            description: query.key,
            offenders: [span],
            cause: null,
          },
    );
