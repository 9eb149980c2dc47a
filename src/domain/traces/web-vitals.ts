export type VitalRating = 'good' | 'fair' | 'poor';

/** Milliseconds, but for layout shift, which has no unit. Source of the limits: https://web.dev/articles/vitals */
export const WEB_VITALS = [
  {
    id: 'lcp',
    label: 'LCP',
    name: 'Largest contentful paint',
    good: 2_500,
    poor: 4_000,
    unit: 'ms',
    weight: 30,
  },
  {
    id: 'inp',
    label: 'INP',
    name: 'Interaction to next paint',
    good: 200,
    poor: 500,
    unit: 'ms',
    weight: 30,
  },
  { id: 'cls', label: 'CLS', name: 'Cumulative layout shift', good: 0.1, poor: 0.25, unit: '', weight: 15 },
  {
    id: 'fcp',
    label: 'FCP',
    name: 'First contentful paint',
    good: 1_800,
    poor: 3_000,
    unit: 'ms',
    weight: 15,
  },
  { id: 'ttfb', label: 'TTFB', name: 'Time to first byte', good: 800, poor: 1_800, unit: 'ms', weight: 10 },
] as const;

export type WebVital = (typeof WEB_VITALS)[number];

export const rateVital = ({ good, poor }: WebVital, value: number): VitalRating =>
  value <= good ? 'good' : value <= poor ? 'fair' : 'poor';

/** The vitals among the measurements of a transaction, in the order of the table. */
export const vitalsOf = (
  measurements: Readonly<Record<string, number>>,
): readonly { vital: WebVital; value: number; rating: VitalRating }[] =>
  WEB_VITALS.flatMap((vital) => {
    const value = measurements[vital.id];
    return value === undefined || !Number.isFinite(value) || value < 0
      ? []
      : [{ vital, value, rating: rateVital(vital, value) }];
  });

/** By the id of a vital; those that were not measured are absent. */
export type VitalValues = Readonly<Record<string, number>>;

/**
 * From 0 to 100: 90 at the limit of good, 50 at that of poor, along the log-normal curve through both, as in Lighthouse.
 * Source: https://developer.chrome.com/docs/lighthouse/performance/performance-scoring
 */
export function scoreVital({ good, poor }: WebVital, value: number): number {
  if (value <= 0) return 100;
  return 100 * normalShare((-Z_OF_GOOD * Math.log(value / poor)) / Math.log(poor / good));
}

/** The average of the scores by weight, over the vitals that were measured; null for none. */
export function scoreVitals(values: VitalValues): number | null {
  const measured = vitalsOf(values);
  if (measured.length === 0) return null;
  const weights = measured.reduce((sum, { vital }) => sum + vital.weight, 0);
  return (
    measured.reduce((sum, { vital, value }) => sum + scoreVital(vital, value) * vital.weight, 0) / weights
  );
}

/** Where 90% of a standard normal distribution lie below. */
const Z_OF_GOOD = 1.2815515655446004;

/** The share of a standard normal distribution below `z`, to 7 digits. Source: Abramowitz and Stegun, 26.2.17. */
function normalShare(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail =
    (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return z >= 0 ? 1 - tail : tail;
}
