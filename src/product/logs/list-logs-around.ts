import { HOUR_MS, MINUTE_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { type ListedRow, listRows } from '#product/explore/rows/explored-rows.ts';
import type { DigestedLog } from '#protocol/telemetry.ts';

/** Lines before a moment, and after it. */
export const LOGS_BEFORE_MAX = 15;
export const LOGS_AFTER_MAX = 5;
/** Lines further from the moment are not looked for. */
const BEFORE_MS = HOUR_MS;
const AFTER_MS = MINUTE_MS;

export type LogLine = {
  id: string;
  level: DigestedLog['level'];
  message: string;
  /** Microseconds since the epoch. */
  atUs: number;
};

export type LogsAround = {
  /** Oldest first. */
  lines: readonly LogLine[];
  /** There are further lines near the moment. */
  hasMore: boolean;
};

/** What the programs of a trace logged around a moment (milliseconds since the epoch), in the projects that are visible. */
export async function listLogsAround(
  ctx: Context,
  { traceId, atMs }: { traceId: string; atMs: number },
): Promise<LogsAround> {
  // A line of the very moment stands before it.
  const splitMs = atMs + 1;
  const read = (range: { fromMs: number; toMs: number }, sort: string, limit: number) =>
    listRows(
      ctx,
      {
        dataset: 'logs',
        within: `trace:${traceId}`,
        query: '',
        projectSlugs: [],
        environments: [],
        range,
      },
      { fields: ['severity', 'message'], sort, limit, cursor: null },
    );
  const [before, after] = await Promise.all([
    read({ fromMs: Math.max(0, splitMs - BEFORE_MS), toMs: splitMs }, '-timestamp', LOGS_BEFORE_MAX),
    read({ fromMs: splitMs, toMs: splitMs + AFTER_MS }, 'timestamp', LOGS_AFTER_MAX),
  ]);
  return {
    lines: [...before.rows.toReversed(), ...after.rows].map(toLine),
    hasMore: before.nextCursor !== null || after.nextCursor !== null,
  };
}

const toLine = ({ id, occurredAtUs, values: [level = '', message = ''] }: ListedRow): LogLine => ({
  id,
  level: level as DigestedLog['level'],
  message,
  atUs: occurredAtUs,
});
