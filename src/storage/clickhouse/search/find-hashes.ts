import type { EventScope, TimeRange } from '#storage/ports/events.ts';
import type { EventExpression, GroupingKey, MatchingHashes } from '#storage/ports/search.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { IN_RANGE, inScope, listParam } from '../query-params.ts';
import { matchEvents } from './match-events.ts';
import { SEARCH_SETTINGS, searching } from './search-limits.ts';
import { type Candidate, findCandidates } from './values/find-candidates.ts';
import { startOfDay } from './values/value-masks.ts';

/** Days on which events of candidates are looked for, newest first: most match an event of the first. */
const DAYS_OF_STEP = [1, 4, Number.POSITIVE_INFINITY] as const;
/** Hashes in one statement; with more, events of all hashes are read. */
const HASHES_NAMED_MAX = 5_000;

/**
 * The grouping hashes of the events that match, at most `max`: those seen last. The index of values says which hashes
 * may have one, and of which it is certain; of the others events are read, those of the newest possible days first,
 * until one matches.
 */
export async function findHashes(
  database: ClickhouseDatabase,
  scope: EventScope,
  expression: EventExpression,
  range: TimeRange | null,
  max: number,
): Promise<MatchingHashes> {
  if (scope.projectIds.length === 0) return { hashes: [], isCut: false };
  const search = { database, scope, expression, max };
  const candidates = await findCandidates(database, scope, expression, range, max + 1);
  if (!candidates) return cut(await readHashes(search, range, null), max);
  const found = new Map<string, Found>();
  const open = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const key = keyOf(candidate);
    if (candidate.certainOn === null) open.set(key, candidate);
    else found.set(key, { ...candidate, lastSeen: startOfDay(candidate.certainOn) });
  }
  // Beyond the bound, older candidates are not known; those that are uncertain may be none.
  if (candidates.length > max && open.size > 0) return cut(await readHashes(search, range, null), max);
  let lastDay = Number.POSITIVE_INFINITY;
  for (const count of DAYS_OF_STEP) {
    const days = possibleDays(open, lastDay).slice(0, count);
    const [newest] = days;
    const oldest = days.at(-1);
    if (newest === undefined || oldest === undefined) break;
    const hashes = [...open.values()].filter((candidate) =>
      candidate.days.some((day) => day <= newest && day >= oldest),
    );
    for (const match of await readHashes(search, within(range, oldest, newest), hashes)) {
      const key = keyOf(match);
      if (open.delete(key)) found.set(key, match);
    }
    lastDay = oldest;
  }
  return cut([...found.values()], max);
}

type Search = {
  database: ClickhouseDatabase;
  scope: EventScope;
  expression: EventExpression;
  max: number;
};
type Found = GroupingKey & { lastSeen: number };

const keyOf = ({ projectId, hash }: GroupingKey): string => `${projectId}:${hash}`;

/** Days before `lastDay` on which an open candidate may have an event that matches, newest first. */
function possibleDays(open: ReadonlyMap<string, Candidate>, lastDay: number): number[] {
  const days = new Set<number>();
  for (const candidate of open.values()) for (const day of candidate.days) if (day < lastDay) days.add(day);
  return [...days].sort((a, b) => b - a);
}

function within(range: TimeRange | null, oldest: number, newest: number): TimeRange {
  const fromMs = startOfDay(oldest);
  const toMs = startOfDay(newest + 1);
  return range
    ? { fromMs: Math.max(fromMs, range.fromMs), toMs: Math.min(toMs, range.toMs) }
    : { fromMs, toMs };
}

async function readHashes(
  { database, scope, expression, max }: Search,
  range: TimeRange | null,
  among: readonly GroupingKey[] | null,
): Promise<Found[]> {
  const visible = inScope(scope);
  const matching = matchEvents(expression);
  const isNamed = among !== null && among.length <= HASHES_NAMED_MAX;
  const named = listParam(
    'among',
    'FixedString(32)',
    isNamed ? [...new Set(among.map(({ hash }) => hash))] : [],
  );
  return await searching(
    database.query<Found>(
      `SELECT project_id AS projectId, toString(grouping_hash) AS hash,
         toUnixTimestamp64Milli(max(occurred_at)) AS lastSeen
       FROM events
       WHERE ${visible.sql} ${range ? `AND ${IN_RANGE}` : ''} ${isNamed ? `AND grouping_hash IN ${named.sql}` : ''}
         AND ${matching.sql}
       GROUP BY project_id, grouping_hash
       ORDER BY lastSeen DESC LIMIT {rows:UInt32} ${SEARCH_SETTINGS}`,
      { ...visible.params, ...range, ...(isNamed ? named.params : {}), ...matching.params, rows: max + 1 },
    ),
  );
}

function cut(found: Found[], max: number): MatchingHashes {
  found.sort((a, b) => b.lastSeen - a.lastSeen);
  const hashes = found.slice(0, max).map(({ projectId, hash }) => ({ projectId, hash }));
  return { hashes, isCut: found.length > max };
}
