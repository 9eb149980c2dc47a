import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { PAGE_ROWS_MAX } from '#product/cursor.ts';
import type { Question } from '#product/explore/open-question.ts';
import { groupRows, listRows, type RowQuestion, readRowGroups } from '#product/explore/rows/explored-rows.ts';

/** Services' own spans of the listed traces; of more the earliest are read. */
const TRACE_SEGMENTS_MAX = 1_000;
/** Spans of a trace may have begun so much earlier or later than the one that was found. */
const TRACE_MS_MAX = DAY_MS;
/** Groups by trace and project. */
const TRACE_PROJECTS_MAX = 1_000;

export type TraceSegment = {
  traceId: string;
  projectSlug: string;
  name: string;
  sdkName: string;
  /** Milliseconds since the epoch, with fractions. */
  startMs: number;
  endMs: number;
  isRoot: boolean;
};

export type ListedTrace = {
  traceId: string;
  /** Spans that the search finds, and all of them. */
  matchingSpans: number;
  spans: number;
  errors: number;
  /** Of the first span to the last that a service began, or began with. */
  startMs: number;
  endMs: number;
  /** What services did, the earliest first; the root may be missing. */
  segments: readonly TraceSegment[];
};

/**
 * Traces with a span that the search for spans finds, by the newest such span. Everything else about them is of all projects
 * that the caller may see. Throws Invalid and NotFound.
 */
export async function listTraces(
  ctx: Context,
  question: Question,
  page: { isOldestFirst: boolean; limit: number; offset: number },
): Promise<{ traces: readonly ListedTrace[]; hasMore: boolean }> {
  const found = await groupRows(
    ctx,
    { ...question, dataset: 'spans', within: 'has:trace' },
    {
      groupBy: ['trace'],
      functions: ['count()', 'first_seen()', 'last_seen()'],
      sort: page.isOldestFirst ? 'first_seen()' : '-last_seen()',
      limit: page.limit,
      offset: page.offset,
    },
  );
  const ids = found.groups.map(({ keys: [id = ''] }) => id);
  if (ids.length === 0) return { traces: [], hasMore: found.hasMore };
  const around = {
    query: `trace:[${ids.join(',')}]`,
    projectSlugs: [],
    environments: [],
    range: {
      fromMs: Math.max(0, Math.min(...found.groups.map(({ values }) => values[1] ?? 0)) - TRACE_MS_MAX),
      toMs: Math.max(...found.groups.map(({ values }) => values[2] ?? 0)) + TRACE_MS_MAX,
    },
  };
  const [spans, errors, segments] = await Promise.all([
    countByTrace(ctx, { ...around, dataset: 'spans' }),
    countByTrace(ctx, { ...around, dataset: 'errors' }),
    listSegments(ctx, { ...around, dataset: 'spans', within: 'is_transaction:true' }),
  ]);
  return {
    traces: found.groups.map(({ keys: [traceId = ''], values: [matching, firstMs, lastMs] }) => {
      const own = segments.get(traceId) ?? [];
      const counted = spans.get(traceId);
      return {
        traceId,
        matchingSpans: matching ?? 0,
        spans: counted?.rows ?? 0,
        errors: errors.get(traceId)?.rows ?? 0,
        startMs: Math.min(counted?.firstMs ?? firstMs ?? 0, ...own.map(({ startMs }) => startMs)),
        endMs: Math.max(counted?.lastMs ?? lastMs ?? 0, ...own.map(({ endMs }) => endMs)),
        segments: own,
      };
    }),
    hasMore: found.hasMore,
  };
}

async function countByTrace(ctx: Context, question: RowQuestion) {
  const { groups } = await readRowGroups(ctx, question, {
    groupBy: ['trace'],
    functions: ['count()', 'first_seen()', 'last_seen()'],
    sort: null,
    limit: TRACE_PROJECTS_MAX,
    offset: 0,
  });
  return new Map(
    groups.map(({ keys: [traceId = ''], values: [rows, firstMs, lastMs] }) => [
      traceId,
      { rows: rows ?? 0, firstMs: firstMs ?? null, lastMs: lastMs ?? null },
    ]),
  );
}

/** By trace, the earliest first. */
async function listSegments(
  ctx: Context,
  question: RowQuestion,
): Promise<ReadonlyMap<string, readonly TraceSegment[]>> {
  const segments: TraceSegment[] = [];
  let cursor: string | null = null;
  do {
    const read: Awaited<ReturnType<typeof listRows>> = await listRows(ctx, question, {
      fields: ['trace', 'transaction', 'sdk.name', 'span.duration', 'parent_span'],
      sort: 'timestamp',
      limit: PAGE_ROWS_MAX,
      cursor,
    });
    for (const { projectSlug, occurredAtUs, values } of read.rows) {
      const [traceId = '', name = '', sdkName = '', duration = '', parent = ''] = values;
      const startMs = occurredAtUs / 1_000;
      const endMs = startMs + Number(duration);
      segments.push({ traceId, projectSlug, name, sdkName, startMs, endMs, isRoot: parent === '' });
    }
    cursor = read.nextCursor;
  } while (cursor !== null && segments.length < TRACE_SEGMENTS_MAX);
  return Map.groupBy(segments, ({ traceId }) => traceId);
}
