import type { EventScope, EventStore, TimeRange } from '#storage/ports/events.ts';
import type { EventField } from '#storage/ports/search.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { IN_RANGE, inScope } from '../query-params.ts';
import { findHashes } from './find-hashes.ts';
import { fieldValue } from './match-events.ts';
import { escapeLike } from './params.ts';
import { SUGGESTION_SETTINGS } from './search-limits.ts';

export const createEventSearch = (
  database: ClickhouseDatabase,
): Pick<EventStore, 'findHashes' | 'listTagKeys' | 'listFieldValues'> => ({
  findHashes: (scope, expression, range, max) => findHashes(database, scope, expression, range, max),

  async listTagKeys(scope, range, limit) {
    if (scope.projectIds.length === 0) return [];
    const visible = inScope(scope);
    const rows = await database.query<{ key: string }>(
      `SELECT key FROM (
         SELECT mapKeys(tags) AS keys FROM events WHERE ${visible.sql} AND ${IN_RANGE} LIMIT ${SAMPLE_EVENTS}
       ) ARRAY JOIN keys AS key
       GROUP BY key ORDER BY count() DESC, key LIMIT {limit:UInt32} ${SUGGESTION_SETTINGS}`,
      { ...visible.params, ...range, limit },
    );
    return rows.map(({ key }) => key);
  },

  async listFieldValues(scope, field, text, range, limit) {
    return await listFieldValues(database, scope, field, text, range, limit);
  },
});

/** Of so many events the keys of tags are listed: projects hardly have other ones elsewhere. */
const SAMPLE_EVENTS = 50_000;

async function listFieldValues(
  database: ClickhouseDatabase,
  scope: EventScope,
  field: EventField,
  text: string,
  range: TimeRange,
  limit: number,
): Promise<readonly string[]> {
  if (scope.projectIds.length === 0) return [];
  const visible = inScope(scope);
  const value = fieldValue(field);
  const rows = await database.query<{ value: string }>(
    `SELECT value FROM (
       SELECT ${value.sql} AS value FROM events WHERE ${visible.sql} AND ${IN_RANGE}
     )
     WHERE value != '' AND value ILIKE {pattern:String}
     GROUP BY value ORDER BY count() DESC, value LIMIT {limit:UInt32} ${SUGGESTION_SETTINGS}`,
    { ...visible.params, ...value.params, ...range, pattern: `%${escapeLike(text)}%`, limit },
  );
  return rows.map((row) => row.value);
}
