import { PROFILER_ATTRIBUTES, THREAD_ATTRIBUTE } from '#domain/traces/profiler-attributes.ts';
import { type VitalValues, WEB_VITALS } from '#domain/traces/web-vitals.ts';
import type { Context } from '#product/context.ts';
import { PAGE_ROWS_MAX } from '#product/cursor.ts';
import { type ListedRow, listRows } from '#product/explore/rows/explored-rows.ts';
import { SENT_AS_ROOTS, TRANSACTIONS } from '#product/performance/performance-search.ts';
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
  asked: Asked,
): Promise<readonly TraceTransaction[]> {
  return (await listSpans(ctx, asked, TRANSACTIONS, FIELDS)).map(toTransaction);
}

/**
 * As `listTraceTransactions`, with the web vitals that spans of the trace measured, each the first time that it was. One
 * question, unless there is so much of both that one would cut off the other.
 */
export async function listTraceRoots(
  ctx: Context,
  asked: Asked,
): Promise<{ roots: readonly TraceTransaction[]; vitals: VitalValues }> {
  const fields = [...FIELDS, ...VITALS, 'is_transaction', 'span.op'];
  const rows = await listSpans(ctx, asked, `((${TRANSACTIONS}) OR ${HAS_VITALS})`, fields);
  if (rows.length === PAGE_ROWS_MAX) {
    const [roots, measured] = await Promise.all([
      listTraceTransactions(ctx, asked),
      listSpans(ctx, asked, HAS_VITALS, VITALS),
    ]);
    return { roots, vitals: toVitals(measured, 0) };
  }
  const isTransaction = ({ values }: ListedRow) =>
    values.at(-2) === 'true' && !SENT_AS_ROOTS.test(values.at(-1) ?? '');
  return { roots: rows.filter(isTransaction).map(toTransaction), vitals: toVitals(rows, FIELDS.length) };
}

type Asked = { traceId: string; range: Range };

const FIELDS = ['span_id', 'transaction', 'span.duration', THREAD_ATTRIBUTE, ...PROFILER_ATTRIBUTES];
const VITALS = WEB_VITALS.map(({ id }) => id);
const HAS_VITALS = `(${VITALS.map((id) => `has:${id}`).join(' OR ')})`;

/** The values of the vitals begin at `start` in each row. */
const toVitals = (rows: readonly ListedRow[], start: number): VitalValues =>
  Object.fromEntries(
    VITALS.flatMap((id, index) => {
      const measured = rows.map(({ values }) => values[start + index]).find((value) => value);
      return measured === undefined ? [] : [[id, Number(measured)]];
    }),
  );

async function listSpans(
  ctx: Context,
  { traceId, range }: Asked,
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
  const [spanId = '', name = '', durationMs = '', threadId = '', ...rest] = values;
  const profilers = rest.slice(0, PROFILER_ATTRIBUTES.length);
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
