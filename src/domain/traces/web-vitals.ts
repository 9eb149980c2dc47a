export type VitalRating = 'good' | 'fair' | 'poor';

/** Milliseconds, but for layout shift, which has no unit. Source of the limits: https://web.dev/articles/vitals */
export const WEB_VITALS = [
  { id: 'lcp', label: 'LCP', name: 'Largest contentful paint', good: 2_500, poor: 4_000, unit: 'ms' },
  { id: 'inp', label: 'INP', name: 'Interaction to next paint', good: 200, poor: 500, unit: 'ms' },
  { id: 'cls', label: 'CLS', name: 'Cumulative layout shift', good: 0.1, poor: 0.25, unit: '' },
  { id: 'fcp', label: 'FCP', name: 'First contentful paint', good: 1_800, poor: 3_000, unit: 'ms' },
  { id: 'ttfb', label: 'TTFB', name: 'Time to first byte', good: 800, poor: 1_800, unit: 'ms' },
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
