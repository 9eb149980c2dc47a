import type { EventScope, EventStore, FieldValue, TimeRange } from '#storage/ports/events.ts';
import type { EventExpression } from '#storage/ports/search.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { IN_RANGE, inScope, type SqlPart } from '../query-params.ts';
import { findHashes } from './find-hashes.ts';
import { fieldValue, matchEvents } from './match-events.ts';
import { escapeLike } from './params.ts';
import { COUNT_SETTINGS, exceedsLimits, SUGGESTION_SETTINGS } from './search-limits.ts';

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

  async listFieldValues(scope, field, text, matching, limit) {
    if (scope.projectIds.length === 0) return [];
    const events = eventsOf(scope, matching);
    const value = fieldValue(field);
    const params = { ...events.params, ...value.params, pattern: `%${escapeLike(text)}%`, limit };
    const list = (count: string, settings: string) =>
      database.query<FieldValue>(
        `SELECT value, ${count} AS events FROM (
           SELECT ${value.sql} AS value, cityHash64(project_id, event_id) AS id FROM events WHERE ${events.sql}
         )
         WHERE value != '' AND value ILIKE {pattern:String}
         GROUP BY value ORDER BY events DESC, value LIMIT {limit:UInt32} ${settings}`,
        params,
      );
    try {
      // Events may lie twice in the table until parts are merged.
      return await list('uniqExact(id)', COUNT_SETTINGS);
    } catch (error) {
      if (!exceedsLimits(error)) throw error;
      const sample = await list('count()', SUGGESTION_SETTINGS);
      return sample.map((row) => ({ value: row.value, events: null }));
    }
  },
});

/** Of so many events the keys of tags are listed: projects hardly have other ones elsewhere. */
const SAMPLE_EVENTS = 50_000;

function eventsOf(
  scope: EventScope,
  { range, expression }: { range: TimeRange; expression: EventExpression },
): SqlPart {
  const matching = matchEvents(expression);
  const visible = inScope(scope);
  return {
    sql: `${visible.sql} AND ${IN_RANGE} AND ${matching.sql}`,
    params: { ...visible.params, ...matching.params, ...range },
  };
}
