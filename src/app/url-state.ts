/** State that several pages share and that lives in the URL: `?project=a&project=b&range=7d`. */
export const RANGES = ['1h', '24h', '7d', '14d', '30d', '90d'] as const;
export type RangeKey = (typeof RANGES)[number];
export const RANGE_DEFAULT: RangeKey = '14d';

export const RANGE_LABELS: Record<RangeKey, string> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '14d': 'Last 14 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
};

const HOUR_MS = 3_600_000;
const RANGE_MS: Record<RangeKey, number> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '14d': 14 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
  '90d': 90 * 24 * HOUR_MS,
};

/** Search parameters as the framework hands them to a page. */
export type SearchParams = Readonly<Record<string, string | string[] | undefined>>;

/** The chosen range, the default one for anything unknown. */
export function parseRange(params: SearchParams): RangeKey {
  const value = firstValue(params, 'range');
  return RANGES.find((range) => range === value) ?? RANGE_DEFAULT;
}

/** Half-open, ends now. Milliseconds since the epoch. */
export function rangeBounds(range: RangeKey, nowMs: number): { fromMs: number; toMs: number } {
  return { fromMs: nowMs - RANGE_MS[range], toMs: nowMs };
}

/** Slugs of the chosen projects, each once; empty means all. */
export function parseProjects(params: SearchParams): string[] {
  const value = params.project;
  const slugs = (Array.isArray(value) ? value : [value]).filter(
    (slug) => typeof slug === 'string' && slug !== '',
  );
  return [...new Set(slugs as string[])];
}

/** The first value of a parameter; null when it is absent. */
export function firstValue(params: SearchParams, name: string): string | null {
  const value = params[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** A path with a query: entries that are null, and lists that are empty, are left out. */
export function withQuery(
  path: string,
  entries: Readonly<Record<string, string | readonly string[] | null>>,
): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(entries)) {
    if (value === null) continue;
    for (const each of typeof value === 'string' ? [value] : value) params.append(name, each);
  }
  const query = params.toString();
  return query ? `${path}?${query}` : path;
}
