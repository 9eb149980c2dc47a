import { PROFILER_ATTRIBUTES, THREAD_ATTRIBUTE } from '#domain/traces/profiler-attributes.ts';
import { type VitalValues, WEB_VITALS } from '#domain/traces/web-vitals.ts';
import type { Context } from '#product/context.ts';
import { PAGE_ROWS_MAX } from '#product/cursor.ts';
import { type ListedRow, listRows } from '#product/explore/rows/explored-rows.ts';
import { TRANSACTIONS } from '#product/performance/performance-search.ts';
import type { Range } from '#product/time-buckets.ts';
import { parseEventId } from '#protocol/event-id.ts';

/** A request, a page load or a job of a trace, whether its SDK sent it as a transaction or span by span. */
export type TraceTransaction = {
  projectSlug: string;
  /** Of its root. */
  spanId: string;
  name: string;
  /** Microseconds since the epoch. */
  startedAtUs: number;
  endedAtUs: number;
  /** Of the continuous profiler that ran meanwhile; null when it names none. */
  profilerId: string | null;
  /** The thread that it ran on; null when unknown. */
  threadId: string | null;
};

/** The transactions of a trace that began in a range, in the projects that are visible: the first 100, oldest first. */
export async function listTraceTransactions(
  ctx: Context,
  asked: { traceId: string; range: Range },
): Promise<readonly TraceTransaction[]> {
  const fields = ['span_id', 'transaction', 'span.duration', THREAD_ATTRIBUTE, ...PROFILER_ATTRIBUTES];
  return (await listSpans(ctx, asked, TRANSACTIONS, fields)).map(toTransaction);
}

/** The web vitals that spans of a trace measured, each the first time that it was. */
export async function findTraceVitals(
  ctx: Context,
  asked: { traceId: string; range: Range },
): Promise<VitalValues> {
  const ids = WEB_VITALS.map(({ id }) => id);
  const rows = await listSpans(ctx, asked, `(${ids.map((id) => `has:${id}`).join(' OR ')})`, ids);
  return Object.fromEntries(
    ids.flatMap((id, index) => {
      const measured = rows.map(({ values }) => values[index]).find((value) => value);
      return measured === undefined ? [] : [[id, Number(measured)]];
    }),
  );
}

async function listSpans(
  ctx: Context,
  { traceId, range }: { traceId: string; range: Range },
  search: string,
  fields: readonly string[],
): Promise<readonly ListedRow[]> {
  const question = {
    dataset: 'spans',
    within: `trace:${traceId} ${search}`,
    query: '',
    projectSlugs: [],
    environments: [],
    range,
  } as const;
  const { rows } = await listRows(ctx, question, {
    fields,
    sort: 'timestamp',
    limit: PAGE_ROWS_MAX,
    cursor: null,
  });
  return rows;
}

const US_PER_MS = 1_000;

function toTransaction({ projectSlug, occurredAtUs, values }: ListedRow): TraceTransaction {
  const [spanId = '', name = '', durationMs = '', threadId = '', ...profilers] = values;
  return {
    projectSlug,
    spanId,
    name,
    startedAtUs: occurredAtUs,
    endedAtUs: occurredAtUs + Math.round(Number(durationMs) * US_PER_MS),
    profilerId: profilers.map(parseEventId).find((id) => id !== null) ?? null,
    threadId: threadId || null,
  };
}
