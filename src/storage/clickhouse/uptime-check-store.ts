import type { UptimeCheck } from '#domain/uptime/check.ts';
import { invalid } from '#lib/errors.ts';
import type { UptimeBucket, UptimeCheckStore } from '#storage/ports/uptime-checks.ts';
import type { ClickhouseDatabase } from './client.ts';
import { both, inScope, isEmpty, listParam } from './query-params.ts';
import {
  type Cells,
  type Column,
  columns,
  count,
  flag,
  float,
  millis,
  nullableFloat,
  nullableMillis,
  nullableText,
  record,
  text,
} from './telemetry/columns.ts';

/** Rows of one page. */
const PAGE_ROWS_MAX = 1_000;

const row = record<UptimeCheck>({
  ...columns(count, 'organizationId', 'projectId', 'monitorId'),
  ...columns(text, 'checkId', 'detail', 'region', 'traceId'),
  ...columns(millis, 'checkedAt', 'scheduledAt'),
  ...columns(nullableFloat, 'dnsMs', 'connectMs', 'tlsMs', 'firstByteMs'),
  ...columns(flag, 'isRetry', 'isInMaintenance', 'isInIncident'),
  status: text('status'),
  reason: nullableText('reason') as Column<UptimeCheck['reason']>,
  statusCode: nullableCount('status_code'),
  durationMs: float('duration_ms'),
  certificateExpiresAt: nullableMillis('certificate_expires_at'),
});

/** Rows may lie twice in a table until parts are merged: every query here reads each of them once. */
export function createUptimeCheckStore(database: ClickhouseDatabase): UptimeCheckStore {
  return {
    async insert(checks, token) {
      if (checks.length === 0) return;
      const rows = checks.map((check) => {
        const cells: Cells = {};
        row.write(check, cells);
        // The day that it is dropped with.
        cells.received_at = cells.checked_at;
        return cells;
      });
      await database.insert('uptime_checks', rows, token);
    },

    async list(scope, { monitorId, limit, before, range, status }) {
      if (limit > PAGE_ROWS_MAX) throw invalid(`A page can have at most ${PAGE_ROWS_MAX} rows`);
      if (isEmpty(scope)) return { rows: [], next: null };
      const conditions = both(inScope(scope), {
        sql: [
          'monitor_id = {monitorId:UInt64}',
          ...(range ? [inTime('fromMs', '>='), inTime('toMs', '<')] : []),
          ...(before ? [`(checked_at, check_id) < (${moment('beforeMs')}, {beforeId:String})`] : []),
          ...(status ? ['status = {status:String}'] : []),
        ].join(' AND '),
        params: {
          monitorId,
          status,
          fromMs: range?.fromMs,
          toMs: range?.toMs,
          beforeMs: before?.at,
          beforeId: before?.id,
        },
      });
      const cells = await database.query<Cells>(
        `SELECT ${row.select} FROM uptime_checks WHERE ${conditions.sql}
         ORDER BY checked_at DESC, check_id DESC LIMIT 1 BY check_id LIMIT {limit:UInt32}`,
        { ...conditions.params, limit: limit + 1 },
      );
      const rows = cells.slice(0, limit).map(row.read);
      const last = rows.at(-1);
      return {
        rows,
        next: cells.length > limit && last ? { at: last.checkedAt, id: last.checkId } : null,
      };
    },

    async countBuckets(scope, { monitorIds, range, bucketMs }) {
      if (isEmpty(scope) || monitorIds.length === 0) return [];
      const ids = listParam('monitorIds', 'UInt64', monitorIds);
      const conditions = both(inScope(scope), {
        sql: `monitor_id IN ${ids.sql} AND ${inTime('fromMs', '>=')} AND ${inTime('toMs', '<')}`,
        params: { ...ids.params, fromMs: range.fromMs, toMs: range.toMs },
      });
      // Parts before the first and after the last day are not opened.
      const days = `received_at >= ${moment('fromMs')} AND received_at < ${moment('toMs')}`;
      return await database.query<UptimeBucket>(
        `SELECT monitor_id AS monitorId,
           intDiv(toUnixTimestamp64Milli(checked_at) - {fromMs:Int64}, {bucketMs:Int64}) AS bucket,
           countIf(status = 'success') AS successes,
           countIf(status = 'failure') AS failures,
           countIf(status = 'unknown') AS unknown,
           if(successes = 0, NULL, avgIf(duration_ms, status = 'success')) AS averageMs,
           if(successes = 0, NULL, quantileIf(0.95)(duration_ms, status = 'success')) AS p95Ms
         FROM uptime_checks FINAL
         WHERE ${conditions.sql} AND ${days} AND NOT is_retry AND NOT is_in_maintenance
         GROUP BY monitor_id, bucket ORDER BY monitor_id, bucket
         SETTINGS do_not_merge_across_partitions_select_final = 1`,
        { ...conditions.params, bucketMs },
      );
    },
  };
}

const moment = (param: string): string => `fromUnixTimestamp64Milli({${param}:Int64}, 'UTC')`;
const inTime = (param: string, comparison: string): string => `checked_at ${comparison} ${moment(param)}`;

/** 0 for null. */
function nullableCount(name: string): Column<number | null> {
  return {
    select: name,
    write: (value, cells) => {
      cells[name] = value ?? 0;
    },
    read: (cells) => (cells[name] as number) || null,
  };
}
