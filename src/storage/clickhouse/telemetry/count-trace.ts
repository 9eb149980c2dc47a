import type { EventScope } from '#storage/ports/events.ts';
import type { TraceCounts } from '#storage/ports/telemetry.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { both, inScope } from './in-scope.ts';

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
