import { rateVital, type VitalRating, type WebVital } from '#domain/traces/web-vitals.ts';
import { formatElapsed } from '#ui/format-elapsed.ts';

/** A web vital with its unit, in the color of its rating. */
export function VitalValue({ vital, value }: { vital: WebVital; value: number }) {
  const rating = rateVital(vital, value);
  return (
    <span className={RATING_TONES[rating]}>
      {vital.unit === 'ms' ? formatElapsed(value * US_PER_MS) : value.toFixed(2)}
      <span className="sr-only">, {RATING_LABELS[rating]}</span>
    </span>
  );
}

export const RATING_LABELS: Readonly<Record<VitalRating, string>> = {
  good: 'good',
  fair: 'needs improvement',
  poor: 'poor',
};
const RATING_TONES: Readonly<Record<VitalRating, string>> = {
  good: 'text-success',
  fair: 'text-warning',
  poor: 'text-danger',
};

const US_PER_MS = 1_000;
