import type { IssueTagStore } from '#storage/ports/events.ts';
import type { ClickhouseDatabase } from './client.ts';
import { findNewestSince } from './event-index.ts';
import { isVisible, listParam } from './query-params.ts';

const VALUES_MAX = 1_000;

export function createIssueTagStore(database: ClickhouseDatabase): IssueTagStore {
  return {
    async countValues(scope, issue, key, range, limits) {
      if (!isVisible(scope, issue)) return { key, total: 0, distinct: 0, values: [] };
      const hashes = listParam('hashes', 'FixedString(32)', issue.hashes);
      const fromMs = await findNewestSince(database, scope, issue, range, limits.events);
      const rows = await database.query<ValueRow>(
        `SELECT value, count() AS events, sum(count()) OVER () AS total, count() OVER () AS distinct,
           toUnixTimestamp64Milli(min(at)) AS first_ms, toUnixTimestamp64Milli(max(at)) AS last_ms
         FROM (
           SELECT event_id, any(tags[{key:String}]) AS value, min(occurred_at) AS at FROM events
           WHERE organization_id = {organizationId:UInt64} AND project_id = {projectId:UInt64}
             AND grouping_hash IN ${hashes.sql} AND mapContains(tags, {key:String})
             AND occurred_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
             AND occurred_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
           GROUP BY event_id
         )
         GROUP BY value ORDER BY events DESC, value LIMIT {values:UInt32}`,
        {
          organizationId: scope.organizationId,
          projectId: issue.projectId,
          ...hashes.params,
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
        values: rows.map((row) => ({
          value: row.value,
          count: row.events,
          firstSeen: row.first_ms,
          lastSeen: row.last_ms,
        })),
      };
    },
  };
}

type ValueRow = {
  value: string;
  events: number;
  total: number;
  distinct: number;
  first_ms: number;
  last_ms: number;
};
