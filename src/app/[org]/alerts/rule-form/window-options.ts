import { describeMinutes } from '#product/alerts/describe-alert-rule.ts';

const USUAL_MINUTES = [1, 5, 15, 30, 60, 360, 1_440, 10_080, 43_200];

/** Lengths of time to choose from: the usual ones, and the one that is chosen when it is none of them. */
export function windowOptions(chosen: number, usual: readonly number[] = USUAL_MINUTES) {
  const all = usual.includes(chosen) ? usual : [...usual, chosen].sort((a, b) => a - b);
  return all.map((minutes) => ({ value: String(minutes), label: describeMinutes(minutes) }));
}
