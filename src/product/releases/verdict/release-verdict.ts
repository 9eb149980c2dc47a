import type { Difference } from '#domain/statistics/compare-shares.ts';
import type { Range } from '#product/time-buckets.ts';

export const VERDICT_MEASURES = [
  'p95',
  'failure_rate',
  'crash_free_sessions',
  'crash_free_users',
  'new_issues',
  'regressed_issues',
] as const;
export type VerdictMeasure = (typeof VERDICT_MEASURES)[number];

/** What a measure is of one release: `sample` is how many transactions, sessions or users it is of, null for a count. */
export type MeasuredSide = {
  /** A share from 0 to 1, milliseconds, or a count; null without any. */
  value: number | null;
  sample: number | null;
};

export type VerdictLine = {
  measure: VerdictMeasure;
  own: MeasuredSide;
  before: MeasuredSide;
  /** `worse` and `better`: by more than chance. */
  verdict: 'worse' | 'better' | 'chance' | 'too_few';
};

/** Messages of log lines that are the same but for numbers, ids and so on. */
export type LogPattern = {
  pattern: string;
  level: string;
  lines: number;
  /** A message as it was sent. */
  example: string;
};

export type ReleaseVerdict = {
  version: string;
  /** The release before it in the same projects; null when there is none. */
  before: string | null;
  /** When each began, by its first deploy or else its first event, and the same length of time from then on. */
  windows: { own: VerdictWindow; before: VerdictWindow | null };
  /** `worse` if any line is, `better` if one is and none is worse, `same` if any could be judged, else `too_few`. */
  verdict: 'worse' | 'better' | 'same' | 'too_few';
  lines: readonly VerdictLine[];
  /** Log patterns that no other release had before, the most frequent first; null when there are too many lines to look at. */
  logPatterns: readonly LogPattern[] | null;
};

export type VerdictWindow = Range & { since: 'deploy' | 'event' };

/** A difference as a verdict, where more is worse. */
export function judge(difference: Difference): VerdictLine['verdict'] {
  if (difference === 'more') return 'worse';
  return difference === 'less' ? 'better' : difference;
}

/** All lines as one. */
export function verdictOf(lines: readonly VerdictLine[]): ReleaseVerdict['verdict'] {
  const has = (verdict: VerdictLine['verdict']) => lines.some((line) => line.verdict === verdict);
  if (has('worse')) return 'worse';
  if (has('better')) return 'better';
  return has('chance') ? 'same' : 'too_few';
}
