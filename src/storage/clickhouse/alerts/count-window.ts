import type { AlertEventStore, FirstIn, WindowCount } from '#storage/ports/alert-events.ts';
import type { EventScope, IssueEvents } from '#storage/ports/events.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { placesOf } from '../issue-places.ts';
import { IN_RANGE, listParam } from '../query-params.ts';
import { searching } from '../search/search-limits.ts';

/** Nobody waits for it, but other alerts do. Several issues that are too much can be asked for in smaller parts. */
const SECONDS_MAX = { several: 2, single: 8 };
/** Memory of one query that counts events for alerts. */
const MEMORY_BYTES_MAX = 250_000_000;

const settingsOf = (issues: readonly IssueEvents[]): string =>
  `SETTINGS max_execution_time = ${issues.length > 1 ? SECONDS_MAX.several : SECONDS_MAX.single},
    max_memory_usage = ${MEMORY_BYTES_MAX}`;

/** Exact up to some thousands, then within a half percent, and never more memory than 48 KiB for each issue. */
const DISTINCT = 'uniqCombined64(16)';
const DISTINCT_IF = 'uniqCombined64If(16)';

export async function countWindow(
  database: ClickhouseDatabase,
  scope: EventScope,
  issues: readonly IssueEvents[],
  { range, environment }: Parameters<AlertEventStore['countWindow']>[2],
): Promise<readonly WindowCount[]> {
  const counts = issues.map(() => ({ events: 0, users: 0 }));
  // The index does not know environments.
  const table = environment === null ? 'event_index' : 'events';
  const places = placesOf(scope, issues, table);
  if (!places) return counts;
  const rows = await searching(
    database.query<{ place: number; events: number; users: number }>(
      `SELECT ${places.issueOf.sql} AS place, ${DISTINCT}(cityHash64(project_id, event_id)) AS events,
         ${DISTINCT_IF}(user_hash, user_hash != 0) AS users
       FROM ${table}
       WHERE ${places.where.sql} AND ${IN_RANGE}
         ${environment === null ? '' : 'AND environment = {environment:String}'}
       GROUP BY place HAVING place != 0 ${settingsOf(issues)}`,
      {
        ...places.where.params,
        ...places.issueOf.params,
        fromMs: Math.trunc(range.fromMs),
        toMs: Math.trunc(range.toMs),
        ...(environment !== null && { environment }),
      },
    ),
  );
  for (const { place, events, users } of rows) counts[place - 1] = { events, users };
  return counts;
}

export async function findFirstIn(
  database: ClickhouseDatabase,
  scope: EventScope,
  issues: readonly IssueEvents[],
  { environment, eventIds }: Parameters<AlertEventStore['findFirstIn']>[2],
): Promise<readonly (FirstIn | null)[]> {
  const found = issues.map((): FirstIn | null => null);
  const places = placesOf(scope, issues, 'events');
  if (!places) return found;
  const own = listParam('own', 'FixedString(32)', [...new Set(eventIds)]);
  const rows = await searching(
    database.query<{ place: number; first: number; asked: number }>(
      `SELECT ${places.issueOf.sql} AS place, toUnixTimestamp64Milli(min(received_at)) AS first,
         toUnixTimestamp64Milli(minIf(received_at, event_id IN ${own.sql})) AS asked
       FROM events
       WHERE ${places.where.sql} AND environment = {environment:String}
       GROUP BY place HAVING place != 0 ${settingsOf(issues)}`,
      { ...places.where.params, ...places.issueOf.params, ...own.params, environment },
    ),
  );
  for (const { place, first, asked } of rows) found[place - 1] = asked > 0 ? { first, asked } : null;
  return found;
}
