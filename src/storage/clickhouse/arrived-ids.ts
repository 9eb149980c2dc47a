import { HOUR_MS } from '#lib/time.ts';
import type { ArrivedId, ArrivedIds } from '#storage/ports/spool.ts';
import type { ClickhouseDatabase } from './client.ts';
import { listParam } from './query-params.ts';

/** Ids read in one query: of an hour. */
const IDS_PER_HOUR_MAX = 2_000_000;

/** Tables whose rows bring an event id that must not come twice. */
const TABLES = ['events', 'transactions'] as const;

export function createArrivedIds(database: ClickhouseDatabase): ArrivedIds {
  return {
    async *list({ sinceMs, untilMs, partitions, wanted }) {
      // Newest first: where not all can be remembered, those are more likely to come again.
      for (let toMs = untilMs; toMs > sinceMs; toMs -= HOUR_MS) {
        const numbers = listParam('wanted', 'UInt32', [...wanted]);
        const selects = TABLES.map(
          (table) => `SELECT project_id, event_id, received_at FROM ${table}
            WHERE received_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
              AND received_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
              AND murmurHash3_32(concat(toString(project_id), ':', event_id)) % {partitions:UInt32} IN ${numbers.sql}`,
        );
        const ids = await database.query<ArrivedId>(
          `SELECT project_id AS projectId, toString(event_id) AS eventId,
             min(toUnixTimestamp64Milli(received_at)) AS receivedAt
           FROM (${selects.join(' UNION ALL ')}) GROUP BY project_id, event_id LIMIT {limit:UInt32}`,
          {
            ...numbers.params,
            fromMs: Math.max(sinceMs, toMs - HOUR_MS),
            toMs,
            partitions,
            limit: IDS_PER_HOUR_MAX,
          },
        );
        if (ids.length > 0) yield ids;
      }
    },
  };
}
