import { cx } from '#ui/cx.ts';

/** A score of 0 to 100, whole, in the color of what it means; a dash for none. */
export function VitalScore({ score, className }: { score: number | null; className?: string }) {
  if (score === null) return <span className={className}>–</span>;
  const tone = score >= GOOD ? 'text-success' : score >= FAIR ? 'text-warning' : 'text-danger';
  return <span className={cx('numbers', tone, className)}>{Math.round(score)}</span>;
}

/** Scores at the limits of the vitals. */
const GOOD = 90;
const FAIR = 50;
