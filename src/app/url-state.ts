import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time.ts';

/** State that several pages share and that lives in the URL: `?project=a&project=b&environment=prod&range=7d`. */
export const RANGES = ['1h', '24h', '7d', '14d', '30d', '90d'] as const;
type RangeKey = (typeof RANGES)[number];
const RANGE_DEFAULT: RangeKey = '14d';

export const RANGE_LABELS: Record<RangeKey, string> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '14d': 'Last 14 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
};

/** A length of time that ends now, such as `14d`, or two moments in milliseconds since the epoch, half-open. */
export type TimeRange = { kind: 'last'; period: string } | { kind: 'between'; fromMs: number; toMs: number };

/** What a page is narrowed to. Empty lists mean all. */
export type PageFilters = {
  projects: readonly string[];
  environments: readonly string[];
  time: TimeRange;
};

/** Names in the URL that mean the same on every page. `statsPeriod` is Sentry's name for `range`. */
export const FILTER_PARAMETERS = ['project', 'environment', 'range', 'statsPeriod', 'start', 'end'] as const;

const UNITS: Readonly<Record<string, { ms: number; word: string }>> = {
  m: { ms: MINUTE_MS, word: 'minute' },
  h: { ms: HOUR_MS, word: 'hour' },
  d: { ms: DAY_MS, word: 'day' },
  w: { ms: 7 * DAY_MS, word: 'week' },
};
/** Longer ranges are shortened to their newest part. */
const RANGE_DAYS_MAX = 365;
const FILTER_VALUES_MAX = 100;

/** Search parameters as the framework hands them to a page. */
export type SearchParams = Readonly<Record<string, string | string[] | undefined>>;

/** Parameters of an address, for `withQuery`: those that are null are left out. */
export type QueryEntries = Readonly<Record<string, string | readonly string[] | null>>;

/** What the framework hands to a page whose address has these dynamic segments. */
export type PageRequest<Segments extends string = never> = {
  params: Promise<Record<Segments, string>>;
  searchParams: Promise<SearchParams>;
};

export function parsePageFilters(params: SearchParams): PageFilters {
  return {
    projects: valuesOf(params, 'project'),
    environments: valuesOf(params, 'environment'),
    time: parseTime(params),
  };
}

/** The chosen time, the default one for anything that cannot be read. */
export function parseTime(params: SearchParams): TimeRange {
  const fromMs = parseMoment(firstValue(params, 'start'));
  const toMs = parseMoment(firstValue(params, 'end'));
  if (fromMs !== null && toMs !== null && fromMs < toMs) {
    return { kind: 'between', fromMs: Math.max(fromMs, toMs - RANGE_DAYS_MAX * DAY_MS), toMs };
  }
  const period = firstValue(params, 'range') ?? firstValue(params, 'statsPeriod');
  return { kind: 'last', period: period !== null && periodMs(period) !== null ? period : RANGE_DEFAULT };
}

/** Half-open. Milliseconds since the epoch. */
export function timeBounds(time: TimeRange, nowMs: number): { fromMs: number; toMs: number } {
  if (time.kind === 'between') return { fromMs: time.fromMs, toMs: time.toMs };
  return { fromMs: nowMs - (periodMs(time.period) ?? 0), toMs: nowMs };
}

/** `Last 14 days`; null for a range between two moments, whose words depend on the reader's time zone. */
export function periodLabel(time: TimeRange): string | null {
  if (time.kind === 'between') return null;
  const known = RANGES.find((range) => range === time.period);
  if (known) return RANGE_LABELS[known];
  const [, amount, unit] = PERIOD.exec(time.period) ?? [];
  const { word } = UNITS[unit ?? 'd']!;
  return Number(amount) === 1 ? `Last ${word}` : `Last ${Number(amount)} ${word}s`;
}

/** Filters as they stand in the URL, for `withQuery`; what is default is left out. */
export function filterEntries({ projects, environments, time }: PageFilters): QueryEntries {
  return { project: projects, environment: environments, ...timeEntries(time) };
}

/** The part of `filterEntries` that says when. */
export function timeEntries(time: TimeRange): Record<'range' | 'start' | 'end', string | null> {
  if (time.kind === 'between') return { range: null, start: toIso(time.fromMs), end: toIso(time.toMs) };
  return { range: time.period === RANGE_DEFAULT ? null : time.period, start: null, end: null };
}

/** The first value of a parameter; null when it is absent. */
export function firstValue(params: SearchParams, name: string): string | null {
  const value = params[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** A path with a query: entries that are null, and lists that are empty, are left out. */
export function withQuery(path: string, entries: QueryEntries): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(entries)) {
    if (value === null) continue;
    for (const each of typeof value === 'string' ? [value] : value) params.append(name, each);
  }
  const query = params.toString();
  return query ? `${path}?${query}` : path;
}

/** Each once, without blanks. */
function valuesOf(params: SearchParams, name: string): string[] {
  const value = params[name];
  const values = (Array.isArray(value) ? value : [value]).filter(
    (each): each is string => typeof each === 'string' && each !== '',
  );
  return [...new Set(values)].slice(0, FILTER_VALUES_MAX);
}

const PERIOD = /^(\d{1,4})([mhdw])$/;

/** null for what is no length of time, is nothing, or is too long. */
function periodMs(period: string): number | null {
  const [, amount, unit] = PERIOD.exec(period) ?? [];
  const ms = Number(amount) * (UNITS[unit ?? '']?.ms ?? Number.NaN);
  return ms > 0 && ms <= RANGE_DAYS_MAX * DAY_MS ? ms : null;
}

const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** ISO 8601; without a zone it is UTC, as in Sentry's addresses. null when it cannot be read. */
function parseMoment(text: string | null): number | null {
  const [, time, , , zone] = (text && MOMENT.exec(text)) || [];
  if (!text || !MOMENT.test(text)) return null;
  const ms = Date.parse(time && !zone ? `${text}Z` : text);
  return Number.isNaN(ms) || ms < 0 ? null : ms;
}

/** `2026-11-21T10:00:00Z`: to the second. */
function toIso(ms: number): string {
  return new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}

/** Pages of a list start again when what it is narrowed to changes. */
const PAGING = 'cursor';

/** The address with the named parameters replaced by the given ones and all others kept. */
export function withFilters(
  pathname: string,
  parameters: URLSearchParams,
  replaced: readonly string[],
  entries: QueryEntries,
): string {
  const names = [...new Set(parameters.keys())].filter((name) => name !== PAGING && !replaced.includes(name));
  const kept = Object.fromEntries(names.map((name) => [name, parameters.getAll(name)]));
  return withQuery(pathname, { ...kept, ...entries });
}
