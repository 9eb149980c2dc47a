/** How often something happened, and among how many. */
export type Counted = { hits: number; of: number };

/** `more` and `less`: the first share differs from the second by more than chance. */
export type Difference = 'more' | 'less' | 'chance' | 'too_few';

/** Standard errors that chance alone exceeds in one of a hundred comparisons. */
const ERRORS_OF_CHANCE = 2.58;
/** With fewer expected hits or misses on either side, the normal distribution says nothing. */
const EXPECTED_MIN = 5;

/** Whether two shares differ by more than chance: the two-proportion z-test, two-sided, at 99%. */
export function compareShares(own: Counted, other: Counted): Difference {
  const z = standardErrors(own, other);
  if (z === null) return 'too_few';
  if (Math.abs(z) < ERRORS_OF_CHANCE) return 'chance';
  return z > 0 ? 'more' : 'less';
}

/** By how many standard errors of the pooled share the first share exceeds the second; null for too few. */
export function standardErrors(own: Counted, other: Counted): number | null {
  const all = own.of + other.of;
  if (own.of === 0 || other.of === 0) return null;
  const pooled = (own.hits + other.hits) / all;
  const least = Math.min(own.of, other.of);
  if (Math.min(least * pooled, least * (1 - pooled)) < EXPECTED_MIN) return null;
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / own.of + 1 / other.of));
  return (own.hits / own.of - other.hits / other.of) / error;
}

/**
 * Whether two counts over the same length of time differ by more than chance: of counts that arise one by one, the
 * difference over the square root of their sum, at 99%.
 */
export function compareCounts(own: number, other: number): Difference {
  if (own + other < 2 * EXPECTED_MIN) return 'too_few';
  const z = (own - other) / Math.sqrt(own + other);
  if (Math.abs(z) < ERRORS_OF_CHANCE) return 'chance';
  return z > 0 ? 'more' : 'less';
}
