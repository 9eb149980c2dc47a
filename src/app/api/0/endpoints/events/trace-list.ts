import { z } from 'zod';
import { rangeUpToNow } from '#app/api/0/endpoints/events/events-question.ts';
import { readOffset, writeOffset } from '#app/api/0/offset-cursor.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import { ENVIRONMENTS, PAGE, type Parameter, PROJECTS, RANGE, texts } from '#app/api/0/query.ts';
import { each } from '#app/api/0/shape.ts';
import { invalid } from '#lib/errors.ts';
import { type ListedTrace, listTraces, type TraceSegment } from '#product/explore/list-traces.ts';

/** What a breakdown is drawn in, unless a request says otherwise. */
const SLICES = 40;
const SLICES_MAX = 100;
const SLICES_PARAMETER: Parameter<number> = {
  schema: z.int().min(1).max(SLICES_MAX).describe('Into how many slices a breakdown is cut; defaults to 40'),
  read(searchParams, name) {
    const text = searchParams.get(name) || String(SLICES);
    const slices = /^\d{1,3}$/.test(text) ? Number(text) : 0;
    if (slices >= 1 && slices <= SLICES_MAX) return slices;
    throw invalid(`${name} must be a whole number from 1 to ${SLICES_MAX}`, name);
  },
};

/** Whether the traces whose spans are the oldest come first. */
const SORT: Parameter<boolean> = {
  schema: z.string().describe('-timestamp (newest first) or timestamp'),
  read(searchParams, name) {
    const text = searchParams.get(name) || '-timestamp';
    if (text === 'timestamp' || text === '-timestamp') return text === 'timestamp';
    throw invalid(`${name} must be timestamp or -timestamp (newest first)`, name);
  },
};

const INTERVAL = z.object({
  project: z.string(),
  sdkName: z.string().nullable(),
  opCategory: z.null(),
  kind: z.literal('project'),
  ...each(z.number(), 'start', 'end', 'duration', 'sliceStart', 'sliceEnd', 'sliceWidth'),
  isRoot: z.boolean(),
  components: z.array(z.tuple([z.number(), z.number()])),
});

export const LISTED_TRACE = z
  .object({
    trace: z.string(),
    ...each(z.number(), 'numErrors', 'numOccurrences', 'numSpans', 'matchingSpans'),
    ...each(z.string().nullable(), 'project', 'name'),
    rootDuration: z.number().nullable(),
    ...each(z.number(), 'duration', 'start', 'end'),
    breakdowns: z.array(INTERVAL),
  })
  .meta({ id: 'ListedTrace' });

export const traceListOperations: readonly Operation[] = [
  /** Traces with a span that the search finds. Source: `traces` of an organization, as Sentry's trace explorer reads it. */
  get('organizations/[org]/traces', {
    summary: 'Lists traces with a span that matches the search',
    scopes: ['event:read'],
    query: {
      ...PAGE,
      ...RANGE,
      ...PROJECTS,
      ...ENVIRONMENTS,
      query: texts('Search for spans; one'),
      isOldestFirst: {
        schema: { sort: SORT.schema as z.ZodType },
        read: (searchParams, _, ctx) => SORT.read(searchParams, 'sort', ctx) as boolean,
      } satisfies Parameter<boolean>,
      breakdownSlices: SLICES_PARAMETER,
    },
    answer: z.object({ data: z.array(LISTED_TRACE), meta: z.object({}) }),
    isPaged: true,
    async handle({ ctx, query, page }) {
      const searches = query.query.filter((search) => search.trim() !== '');
      if (searches.length > 1) throw invalid('Only one query is supported: join them with AND', 'query');
      const question = {
        query: searches[0] ?? '',
        projectSlugs: query.projectSlugs,
        environments: query.environments,
        range: query.range ?? rangeUpToNow(ctx),
      };
      const reply = await page(async (cursor) => {
        const offset = readOffset(cursor);
        const { isOldestFirst, limit } = query;
        const { traces, hasMore } = await listTraces(ctx, question, { isOldestFirst, limit, offset });
        return {
          rows: traces.map((trace) => serializeTrace(trace, query.breakdownSlices)),
          nextCursor: hasMore ? writeOffset(offset + limit) : null,
        };
      });
      return reply.wrap((data) => ({ data, meta: {} }));
    },
  }),
];

function serializeTrace(trace: ListedTrace, slices: number): z.input<typeof LISTED_TRACE> {
  const root = trace.segments.find(({ isRoot }) => isRoot) ?? trace.segments[0] ?? null;
  return {
    trace: trace.traceId,
    numErrors: trace.errors,
    // Nothing is made an issue here but errors.
    numOccurrences: 0,
    numSpans: trace.spans,
    matchingSpans: trace.matchingSpans,
    project: root?.projectSlug ?? null,
    name: root?.name || null,
    rootDuration: root && root.endMs - root.startMs,
    duration: Math.round(trace.endMs - trace.startMs),
    start: Math.round(trace.startMs),
    end: Math.round(trace.endMs),
    breakdowns: breakDown(trace, root, slices),
  };
}

/** Which project was at work when; what of one overlaps or touches is one interval. */
function breakDown({ startMs, endMs, segments }: ListedTrace, root: TraceSegment | null, slices: number) {
  const intervals: { startMs: number; endMs: number; of: TraceSegment; isRoot: boolean }[] = [];
  for (const segment of segments) {
    const last = intervals.findLast(({ of }) => of.projectSlug === segment.projectSlug);
    if (last && last.endMs >= segment.startMs) last.endMs = Math.max(last.endMs, segment.endMs);
    else intervals.push({ ...segment, of: segment, isRoot: segment === root });
  }
  const sliceOf = (ms: number): number =>
    endMs === startMs ? 0 : Math.round(((ms - startMs) / (endMs - startMs)) * slices);
  return intervals.map((interval) => {
    const [start, end] = [Math.round(interval.startMs), Math.round(interval.endMs)];
    const sliceStart = Math.min(slices - 1, sliceOf(interval.startMs));
    const sliceEnd = Math.max(sliceStart + 1, sliceOf(interval.endMs));
    return {
      project: interval.of.projectSlug,
      sdkName: interval.of.sdkName || null,
      opCategory: null,
      kind: 'project' as const,
      ...{ start, end, duration: end - start },
      ...{ sliceStart, sliceEnd, sliceWidth: sliceEnd - sliceStart },
      isRoot: interval.isRoot,
      components: [[start, end] as [number, number]],
    };
  });
}
