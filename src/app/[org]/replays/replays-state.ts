import {
  filterEntries,
  firstValue,
  type PageFilters,
  parsePageFilters,
  type SearchParams,
  withQuery,
} from '#app/url-state.ts';
import { MINUTE_MS } from '#lib/time.ts';
import { REPLAY_SORTS, type ReplayFilter, type ReplaySort } from '#storage/ports/telemetry.ts';

/** Which replays are listed, by what they have. */
export const WITH = ['all', 'errors', 'rageClicks', 'deadClicks'] as const;
export type With = (typeof WITH)[number];

/** Shortest replays that are listed, in minutes. */
export const LENGTHS = ['0', '1', '5', '15', '30'] as const;
export type Length = (typeof LENGTHS)[number];

/** What the list shows; all of it stands in the URL. */
export type ReplaysState = {
  filters: PageFilters;
  search: string;
  having: With;
  minutesMin: Length;
  sort: ReplaySort;
  cursor: string | null;
};

export function parseReplaysState(params: SearchParams): ReplaysState {
  return {
    filters: parsePageFilters(params),
    search: firstValue(params, 'query') ?? '',
    having: oneOf(WITH, firstValue(params, 'with')),
    minutesMin: oneOf(LENGTHS, firstValue(params, 'minutes')),
    sort: oneOf(REPLAY_SORTS, firstValue(params, 'sort')),
    cursor: firstValue(params, 'cursor') || null,
  };
}

/** The first one for anything else. */
const oneOf = <T extends string>(values: readonly [T, ...T[]], text: string | null): T =>
  values.find((value) => value === text) ?? values[0];

/** The address of a state; defaults are left out. A change of anything but the cursor starts at the first page. */
export function replaysHref(
  organizationSlug: string,
  state: ReplaysState,
  change: Partial<ReplaysState> = {},
): string {
  const next = { ...state, cursor: null, ...change };
  return withQuery(`/${organizationSlug}/replays`, {
    ...filterEntries(next.filters),
    query: next.search || null,
    with: next.having === 'all' ? null : next.having,
    minutes: next.minutesMin === '0' ? null : next.minutesMin,
    sort: next.sort === 'started' ? null : next.sort,
    cursor: next.cursor,
  });
}

/** What the state asks of the list. */
export const filterOf = ({ filters, search, having, minutesMin }: ReplaysState): ReplayFilter => ({
  text: search.trim(),
  environments: filters.environments,
  having: having === 'all' ? [] : [having],
  durationMsMin: Number(minutesMin) * MINUTE_MS,
});
