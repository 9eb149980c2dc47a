import { TupleParam } from '@clickhouse/client';
import { DAY_MS } from '#lib/time.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type { CheckInCount, TelemetrySummaries } from '#storage/ports/telemetry.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { inScope, listParam } from '../query-params.ts';
import { NO_ID } from './pair-check-ins.ts';
import { UPDATE_RANK } from './read-check-ins.ts';

/** Monitors, environments, buckets and statuses in one answer. */
const COUNTS_MAX = 100_000;
/** An update that ends a check-in of the range comes this long after it, at most. */
const ENDED_WITHIN_MS = DAY_MS;

/**
 * Each check-in counts once, with the status that it had last, where its first update stands. An end without an id took as
 * long as it is apart from the begin without one right before it.
 */
export function countCheckIns(
  database: ClickhouseDatabase,
  scope: EventScope,
  { monitors, range, bucketMs }: Parameters<TelemetrySummaries['countCheckIns']>[1],
): Promise<readonly CheckInCount[]> {
  const visible = inScope(scope);
  const list = listParam(
    'monitors',
    'Tuple(UInt64, String)',
    monitors.map(({ projectId, slug }) => new TupleParam([projectId, slug])),
  );
  return database.query<CheckInCount>(
    `SELECT project_id AS projectId, monitor_slug AS monitorSlug, environment,
       intDiv(started_ms - {fromMs:Int64}, {bucketMs:Int64}) AS bucket, last_status AS status,
       count() AS count, countIf(duration IS NOT NULL) AS timed, sum(ifNull(duration, 0)) AS durationMs
     FROM (
       SELECT project_id, monitor_slug, environment, argMax(status, ${UPDATE_RANK}) AS last_status,
         toUnixTimestamp64Milli(min(occurred_at)) AS started_ms,
         argMaxIf(known_ms, ${UPDATE_RANK}, known_ms IS NOT NULL) AS sent_duration,
         if(sent_duration IS NULL AND last_status IN ('ok', 'error') AND count() > 1,
           toFloat64(toUnixTimestamp64Milli(max(occurred_at)) - started_ms), sent_duration) AS duration
       FROM (
         SELECT *, if(check_in_id = '${NO_ID}' AND duration_ms IS NULL AND before_status = 'in_progress',
             toFloat64(toUnixTimestamp64Milli(occurred_at) - toUnixTimestamp64Milli(before_at)),
             duration_ms) AS known_ms
         FROM (
           SELECT *, lagInFrame(status) OVER before AS before_status, lagInFrame(occurred_at) OVER before AS before_at
           FROM check_ins
           WHERE ${visible.sql} AND (project_id, monitor_slug) IN ${list.sql}
             AND occurred_at >= fromUnixTimestamp64Milli({fromMs:Int64})
             AND occurred_at < fromUnixTimestamp64Milli({toMs:Int64} + ${ENDED_WITHIN_MS})
           WINDOW before AS (PARTITION BY project_id, monitor_slug, environment, check_in_id
             ORDER BY occurred_at ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
         )
       )
       WHERE NOT (check_in_id = '${NO_ID}' AND status = 'in_progress')
       GROUP BY project_id, monitor_slug, environment, check_in_id,
         if(check_in_id = '${NO_ID}', toString(occurred_at), '')
     )
     WHERE started_ms < {toMs:Int64}
     GROUP BY project_id, monitor_slug, environment, bucket, last_status
     ORDER BY projectId, monitorSlug, environment, bucket, status
     LIMIT ${COUNTS_MAX}`,
    { ...visible.params, ...list.params, fromMs: range.fromMs, toMs: range.toMs, bucketMs },
  );
}
