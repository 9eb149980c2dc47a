import type { DigestedSpan } from '#protocol/telemetry.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type {
  SpanOutline,
  TelemetrySummaries,
  TraceContents,
  TraceCounts,
  TraceOutline,
} from '#storage/ports/telemetry.ts';
import { BY_ID_SETTINGS } from '../by-id-settings.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { SUMMARY_COLUMNS, toSummary } from '../event-row.ts';
import { both, IS_ERROR, inScope } from '../query-params.ts';
import type { Cells } from './columns.ts';
import { readRows } from './read-rows.ts';
import { spans } from './tables.ts';

type Limits = Parameters<TelemetrySummaries['findTrace']>[2];

/** The spans and the errors of a trace. */
export async function readTrace(
  database: ClickhouseDatabase,
  scope: EventScope,
  traceId: string,
  limits: Limits,
): Promise<TraceContents> {
  const [found, errors] = await Promise.all([
    readRows(database, spans, {
      conditions: ofTrace(scope, traceId),
      limit: limits.spans,
      after: null,
      range: null,
      direction: 'oldest first',
      isById: true,
    }),
    readErrors(database, scope, traceId, limits.errors),
  ]);
  return { spans: lastOfEach(found.rows.map(({ row }) => row)), hasMoreSpans: found.hasMore, ...errors };
}

const NAME_CHARACTERS_MAX = 500;

/** As `readTrace`, without reading what a waterfall does not show. */
export async function outlineTrace(
  database: ClickhouseDatabase,
  scope: EventScope,
  traceId: string,
  limits: Limits,
): Promise<TraceOutline> {
  const { sql, params } = ofTrace(scope, traceId);
  const [rows, errors] = await Promise.all([
    database.query<OutlineRow>(
      `SELECT project_id AS projectId, span_id AS spanId, parent_span_id AS parentSpanId, is_segment AS isSegment, op,
         leftUTF8(name, {characters:UInt32}) AS name, status, kind,
         toUnixTimestamp64Micro(started_at) AS startedAtUs, duration_us AS durationUs
       FROM spans WHERE ${sql}
       ORDER BY started_at, span_id
       LIMIT 1 BY project_id, span_id
       LIMIT {rows:UInt32} ${BY_ID_SETTINGS}`,
      { ...params, characters: NAME_CHARACTERS_MAX, rows: limits.spans + 1 },
    ),
    readErrors(database, scope, traceId, limits.errors),
  ]);
  const shown = rows.slice(0, limits.spans);
  return {
    spans: shown.map(({ parentSpanId, ...row }) => ({ ...row, parentSpanId: parentSpanId || null })),
    hasMoreSpans: rows.length > limits.spans,
    ...errors,
  };
}

/** One span of a trace with everything that was sent of it. */
export async function readSpan(
  database: ClickhouseDatabase,
  scope: EventScope,
  traceId: string,
  spanId: string,
): Promise<DigestedSpan | null> {
  const conditions = both(ofTrace(scope, traceId), { sql: 'span_id = {spanId:String}', params: { spanId } });
  const { rows } = await readRows(database, spans, {
    conditions,
    limit: 1,
    after: null,
    range: null,
    direction: 'oldest first',
    isById: true,
  });
  return rows[0]?.row ?? null;
}

async function readErrors(
  database: ClickhouseDatabase,
  scope: EventScope,
  traceId: string,
  limit: number,
): Promise<Pick<TraceOutline, 'errors' | 'hasMoreErrors'>> {
  const { sql, params } = ofTrace(scope, traceId);
  const rows = await database.query<Cells & { spanId: string }>(
    `SELECT ${SUMMARY_COLUMNS}, JSONExtractString(payload, 'contexts', 'trace', 'span_id') AS spanId FROM events
     WHERE ${sql} AND ${IS_ERROR}
     ORDER BY occurred_at, event_id
     LIMIT 1 BY project_id, event_id
     LIMIT {rows:UInt32} ${BY_ID_SETTINGS}`,
    { ...params, rows: limit + 1 },
  );
  return {
    errors: rows.slice(0, limit).map(({ spanId, ...row }) => ({ ...toSummary(row), spanId: spanId || null })),
    hasMoreErrors: rows.length > limit,
  };
}

const ofTrace = (scope: EventScope, traceId: string) =>
  both(inScope(scope), { sql: 'trace_id = {traceId:String}', params: { traceId } });

/** An absent parent is an empty text. */
type OutlineRow = Omit<SpanOutline, 'parentSpanId'> & { parentSpanId: string };

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
  const { sql, params } = ofTrace(scope, traceId);
  const count = async (table: string, identity: string): Promise<number> => {
    const rows = await database.query<{ rows: number }>(
      `SELECT uniqExact(project_id, ${identity}) AS rows FROM ${table} WHERE ${sql} ${BY_ID_SETTINGS}`,
      params,
    );
    return rows[0]?.rows ?? 0;
  };
  const countBy = (column: string) =>
    database.query<{ value: string; spans: number }>(
      `SELECT toString(${column}) AS value, uniqExact(project_id, span_id) AS spans
       FROM spans WHERE ${sql} AND ${column} != ''
       GROUP BY value ORDER BY spans DESC, value LIMIT {max:UInt32} ${BY_ID_SETTINGS}`,
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
