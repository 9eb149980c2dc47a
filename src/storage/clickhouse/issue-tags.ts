import type { IssueTagStore } from '#storage/ports/events.ts';
import type { ClickhouseDatabase } from './client.ts';
import { ofNewest } from './event-index.ts';
import { isVisible } from './query-params.ts';
import { limitsOf, searching } from './search/search-limits.ts';

/** Values listed for one tag. */
const VALUES_MAX = 1_000;

export function createIssueTagStore(database: ClickhouseDatabase): IssueTagStore {
  return {
    async countValues(scope, issue, key, range, limits, expression) {
      const own =
        isVisible(scope, issue) &&
        (await ofNewest(database, scope, issue, { range, expression }, limits.events));
      if (!own) return { key, total: 0, distinct: 0, values: [] };
      const counting = database.query<ValueRow>(
        `SELECT value, count() AS count, sum(count()) OVER () AS total, count() OVER () AS distinct,
           toUnixTimestamp64Milli(min(at)) AS firstSeen, toUnixTimestamp64Milli(max(at)) AS lastSeen
         FROM (
           SELECT event_id, any(tags[{key:String}]) AS value, min(occurred_at) AS at FROM events
           WHERE ${own.sql} AND mapContains(tags, {key:String})
           GROUP BY event_id
         )
         GROUP BY value ORDER BY count DESC, value LIMIT {values:UInt32} ${limitsOf({ expression })}`,
        {
          ...own.params,
          key,
          values: Math.min(limits.values, VALUES_MAX),
        },
      );
      const rows = await searching(counting);
      return {
        key,
        total: rows[0]?.total ?? 0,
        distinct: rows[0]?.distinct ?? 0,
        values: rows.map(({ total: _, distinct: __, ...value }) => value),
      };
    },
  };
}

type ValueRow = {
  value: string;
  count: number;
  total: number;
  distinct: number;
  firstSeen: number;
  lastSeen: number;
};
