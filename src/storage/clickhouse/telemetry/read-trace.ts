import type { DigestedSpan } from '#protocol/telemetry.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type { TelemetrySummaries, TraceContents, TraceCounts } from '#storage/ports/telemetry.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { SUMMARY_COLUMNS, toSummary } from '../event-row.ts';
import { both, inScope } from '../query-params.ts';
import type { Cells } from './columns.ts';
import { readRows } from './read-rows.ts';
import { spans } from './tables.ts';

/** The spans and the errors of a trace. */
export async function readTrace(
  database: ClickhouseDatabase,
  scope: EventScope,
  traceId: string,
  limits: Parameters<TelemetrySummaries['findTrace']>[2],
): Promise<TraceContents> {
  const conditions = both(inScope(scope), { sql: 'trace_id = {traceId:String}', params: { traceId } });
  const [found, events] = await Promise.all([
    readRows(database, spans, {
      conditions,
      limit: limits.spans,
      after: null,
      range: null,
      direction: 'oldest first',
    }),
    database.query<Cells>(
      `SELECT ${SUMMARY_COLUMNS} FROM events
       WHERE ${conditions.sql}
       ORDER BY occurred_at, event_id
       LIMIT 1 BY project_id, event_id
       LIMIT {rows:UInt32}`,
      { ...conditions.params, rows: limits.errors + 1 },
    ),
  ]);
  return {
    spans: lastOfEach(found.rows.map(({ row }) => row)),
    hasMoreSpans: found.hasMore,
    errors: events.slice(0, limits.errors).map(toSummary),
    hasMoreErrors: events.length > limits.errors,
  };
}

/** A span that was sent twice with different times is one. */
const lastOfEach = (rows: readonly DigestedSpan[]): readonly DigestedSpan[] => [
  ...new Map(rows.map((row) => [`${row.projectId}:${row.spanId}`, row])).values(),
];

/** Every kind of a trace by itself, each row once. */
export async function countTrace(
  database: ClickhouseDatabase,
  scope: EventScope,
  traceId: string,
  max: number,
): Promise<TraceCounts> {
  const { sql, params } = both(inScope(scope), { sql: 'trace_id = {traceId:String}', params: { traceId } });
  const count = async (table: string, identity: string): Promise<number> => {
    const rows = await database.query<{ rows: number }>(
      `SELECT uniqExact(project_id, ${identity}) AS rows FROM ${table} WHERE ${sql}`,
      params,
    );
    return rows[0]?.rows ?? 0;
  };
  const countBy = (column: string) =>
    database.query<{ value: string; spans: number }>(
      `SELECT toString(${column}) AS value, uniqExact(project_id, span_id) AS spans
       FROM spans WHERE ${sql} AND ${column} != ''
       GROUP BY value ORDER BY spans DESC, value LIMIT {max:UInt32}`,
      { ...params, max },
    );
  const [spans, errors, logs, metrics, operations, transactions] = await Promise.all([
    count('spans', 'span_id'),
    count('events', 'event_id'),
    count('logs', 'row_id'),
    count('metrics', 'row_id'),
    countBy('op'),
    countBy('transaction_id'),
  ]);
  return {
    spans,
    errors,
    logs,
    metrics,
    operations: operations.map((row) => ({ op: row.value, spans: row.spans })),
    transactions: transactions.map((row) => ({ eventId: row.value, spans: row.spans })),
  };
}
