import type { IssueTagStore } from '#storage/ports/events.ts';
import type { ClickhouseDatabase } from './client.ts';
import { findNewestSince } from './event-index.ts';
import { IN_RANGE, isVisible, ofIssue } from './query-params.ts';

/** Values listed for one tag. */
const VALUES_MAX = 1_000;

export function createIssueTagStore(database: ClickhouseDatabase): IssueTagStore {
  return {
    async countValues(scope, issue, key, range, limits) {
      if (!isVisible(scope, issue)) return { key, total: 0, distinct: 0, values: [] };
      const own = ofIssue(scope, issue);
      const fromMs = await findNewestSince(database, scope, issue, range, limits.events);
      const rows = await database.query<ValueRow>(
        `SELECT value, count() AS count, sum(count()) OVER () AS total, count() OVER () AS distinct,
           toUnixTimestamp64Milli(min(at)) AS firstSeen, toUnixTimestamp64Milli(max(at)) AS lastSeen
         FROM (
           SELECT event_id, any(tags[{key:String}]) AS value, min(occurred_at) AS at FROM events
           WHERE ${own.sql} AND mapContains(tags, {key:String}) AND ${IN_RANGE}
           GROUP BY event_id
         )
         GROUP BY value ORDER BY count DESC, value LIMIT {values:UInt32}`,
        {
          ...own.params,
          key,
          fromMs,
          toMs: range.toMs,
          values: Math.min(limits.values, VALUES_MAX),
        },
      );
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
