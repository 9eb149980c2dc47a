import type { DigestedSpan } from '#protocol/telemetry.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type { TelemetrySummaries, TraceContents } from '#storage/ports/telemetry.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { SUMMARY_COLUMNS, type SummaryRow, toSummary } from '../event-row.ts';
import { both, inScope } from './in-scope.ts';
import { readRows } from './read-rows.ts';
import { spans } from './spans.ts';

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
    database.query<SummaryRow>(
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
