import { ISSUE_SORTS, type IssueSort } from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '#lib/time.ts';
import { PAGE_ROWS_MAX } from '#product/cursor.ts';
import { chooseBucketMs, type Range } from '#product/time-buckets.ts';

const PERIOD_DAYS_MAX = 90;
const UNIT_MS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: 60 * SECOND_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};

/** Rows of a page; Sentry's parameter is `limit`, or `per_page`. As there, more than a page has is a whole page. */
export function readLimit(searchParams: URLSearchParams): number {
  const text = searchParams.get('limit') ?? searchParams.get('per_page');
  if (text === null || text === '') return PAGE_ROWS_MAX;
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1) {
    throw invalid('limit must be a whole number of at least 1', 'limit');
  }
  return Math.min(Number(text), PAGE_ROWS_MAX);
}

/** `recommended` leaves the order to the server. */
export function readSort(searchParams: URLSearchParams): IssueSort {
  const text = searchParams.get('sort') ?? 'date';
  if (text === 'recommended') return 'date';
  const sort = ISSUE_SORTS.find((candidate) => candidate === text);
  if (!sort)
    throw invalid(`sort "${text}" is not supported: choose one of ${ISSUE_SORTS.join(', ')}`, 'sort');
  return sort;
}

/** `statsPeriod` (such as `24h`, `14d`) up to now, or `start` and `end` in ISO 8601; null for any time. */
export function readRange(searchParams: URLSearchParams, nowMs: number): Range | null {
  const period = searchParams.get('statsPeriod');
  if (period) return { fromMs: nowMs - parsePeriodMs(period, 'statsPeriod'), toMs: nowMs };
  const start = searchParams.get('start');
  const end = searchParams.get('end');
  if (!start && !end) return null;
  if (!start || !end)
    throw invalid('start and end must be used together: send both', start ? 'end' : 'start');
  const range = { fromMs: parseTimeMs(start, 'start'), toMs: parseTimeMs(end, 'end') };
  if (range.fromMs >= range.toMs) throw invalid('start must be before end', 'start');
  return range;
}

/** A period's events as Sentry shows them: its name, whole buckets up to now. */
export type StatsWindow = { name: string; range: Range; bucketMs: number };

/** `24h` has hours, `14d` days; null when `statsPeriod=` asks for none. */
export function readStatsWindow(searchParams: URLSearchParams, nowMs: number): StatsWindow | null {
  const name =
    searchParams.get('groupStatsPeriod') ?? searchParams.get('statsPeriod') ?? DEFAULT_STATS_PERIOD;
  if (name === '') return null;
  if (name === 'auto') {
    const range = readRange(searchParams, nowMs) ?? { fromMs: nowMs - DAY_MS, toMs: nowMs };
    return { name, ...wholeBuckets(range, chooseBucketMs(range)) };
  }
  return statsWindow(name, nowMs);
}

const DEFAULT_STATS_PERIOD = '24h';

export function statsWindow(name: string, nowMs: number): StatsWindow {
  const range = { fromMs: nowMs - parsePeriodMs(name, 'statsPeriod'), toMs: nowMs };
  return { name, ...wholeBuckets(range, BUCKETS_MS[name] ?? chooseBucketMs(range)) };
}

const BUCKETS_MS: Readonly<Record<string, number>> = { '24h': HOUR_MS, '14d': DAY_MS, '30d': DAY_MS };

/** As many buckets as the range has, the last one being the current one. */
function wholeBuckets(range: Range, bucketMs: number): { range: Range; bucketMs: number } {
  const toMs = Math.ceil(range.toMs / bucketMs) * bucketMs;
  const buckets = Math.max(1, Math.round((range.toMs - range.fromMs) / bucketMs));
  return { range: { fromMs: toMs - buckets * bucketMs, toMs }, bucketMs };
}

/** A length of time such as `5m` or `1h`, in milliseconds; null when there is none. */
export function readPeriodMs(searchParams: URLSearchParams, name: string): number | null {
  const text = searchParams.get(name);
  return text ? parsePeriodMs(text, name) : null;
}

function parsePeriodMs(text: string, field: string): number {
  const match = /^(\d{1,7})([smhdw])$/.exec(text);
  const lengthMs = Number(match?.[1]) * (UNIT_MS[match?.[2] ?? ''] ?? Number.NaN);
  if (!(lengthMs > 0)) {
    throw invalid(
      `${field} "${text.slice(0, 40)}" is not a valid time range: use a format such as 24h or 14d`,
      field,
    );
  }
  if (lengthMs > PERIOD_DAYS_MAX * DAY_MS) {
    throw invalid(`${field} can be at most ${PERIOD_DAYS_MAX}d: events are not retained longer`, field);
  }
  return lengthMs;
}

// Sentry reads a time without a zone as UTC.
function parseTimeMs(text: string, field: string): number {
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
  const isIso = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i.test(text);
  const ms = isIso ? Date.parse(hasZone || !text.includes('T') ? text : `${text}Z`) : Number.NaN;
  if (Number.isNaN(ms)) {
    throw invalid(
      `${field} "${text.slice(0, 40)}" is not a valid time: use a format such as 2026-01-31T12:00:00Z`,
      field,
    );
  }
  return ms;
}

const ENVIRONMENTS_MAX = 50;

/** Names of environments, `environment` as often as needed; empty for any. */
export function readEnvironments(searchParams: URLSearchParams): readonly string[] {
  const names = searchParams.getAll('environment').filter((name) => name !== '');
  if (names.length <= ENVIRONMENTS_MAX) return names;
  throw invalid(`Specify environment at most ${ENVIRONMENTS_MAX} times`, 'environment');
}
