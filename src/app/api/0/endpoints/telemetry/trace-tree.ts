import { z } from 'zod';
import { always, EMPTY_OBJECT, each, NO_TEXT, shapeOf } from '#app/api/0/shape.ts';
import { isoOfMs, secondsOfUs } from '#app/api/0/shapes/moments.ts';
import { LEVEL } from '#app/api/0/shapes/parts.ts';
import { arrangeSpans } from '#domain/traces/arrange-spans.ts';
import type { Trace } from '#product/traces/traces.ts';
import type { DigestedSpan } from '#protocol/telemetry.ts';

/** Deeper spans become roots: a client that walks the tree must reach its end. */
const DEPTH_MAX = 200;

export const [TRACE_ERROR, serializeTraceError] = shapeOf<Trace['errors'][number], [projectSlug: string]>()(
  {
    event_id: [z.string(), ({ event }) => event.eventId],
    event_type: always(z.literal('error'), 'error'),
    issue_id: [z.number().nullable(), ({ issue }) => issue?.id ?? null],
    issue: [z.string().nullable(), ({ issue }) => issue?.shortId ?? null],
    project_id: [z.number(), ({ event }) => event.projectId],
    project_slug: [z.string(), (_, projectSlug) => projectSlug],
    title: [z.string(), ({ event }) => event.title],
    message: [z.string(), ({ event }) => event.message],
    culprit: [z.string(), ({ event }) => event.culprit],
    level: [LEVEL, ({ event }) => event.level],
    transaction: [z.string(), ({ event }) => event.transaction ?? ''],
    timestamp: [z.string(), ({ event }) => isoOfMs(event.occurredAt)],
  },
  'TraceError',
);

const [SPAN_ALONE, serializeSpanAlone] = shapeOf<DigestedSpan, [projectSlug: string]>()({
  event_id: [z.string(), 'spanId'],
  event_type: always(z.literal('span'), 'span'),
  span_id: [z.string(), 'spanId'],
  transaction_id: [z.string(), ({ transactionId }) => transactionId ?? ''],
  project_id: [z.number(), 'projectId'],
  project_slug: [z.string(), (_, projectSlug) => projectSlug],
  transaction: [z.string(), 'segmentName'],
  description: [z.string(), 'name'],
  ...each([z.string(), 'op'], 'op', 'name'),
  parent_span_id: [z.string().nullable(), 'parentSpanId'],
  ...each(NO_TEXT, 'profile_id', 'profiler_id'),
  sdk_name: [z.string(), 'sdkName'],
  is_transaction: [z.boolean(), 'isSegment'],
  /** Seconds since the epoch. */
  start_timestamp: [z.number(), ({ startedAtUs }) => secondsOfUs(startedAtUs)],
  end_timestamp: [z.number(), ({ startedAtUs, durationUs }) => secondsOfUs(startedAtUs + durationUs)],
  /** Milliseconds. */
  duration: [z.number(), ({ durationUs }) => durationUs / 1_000],
  measurements: EMPTY_OBJECT,
  status: z.string(),
});

/** A span with what it started. */
export const TRACE_SPAN = SPAN_ALONE.extend({
  get children() {
    return z.array(TRACE_SPAN);
  },
  errors: z.array(z.unknown()),
  occurrences: z.array(z.unknown()),
}).meta({ id: 'TraceSpan' });

/** A span with what it started. Nothing is made an issue here but errors, and those know their trace only. */
export type TraceSpan = ReturnType<typeof serializeSpanAlone> & {
  children: TraceSpan[];
  errors: never[];
  occurrences: never[];
};

export type TraceEntry = TraceSpan | ReturnType<typeof serializeTraceError>;

/**
 * The spans as a tree, then the errors, each oldest first. A span whose parent is missing is a root.
 * Source of the fields: https://docs.sentry.io/api/discover/retrieve-a-trace/
 */
export function serializeTrace(trace: Trace): TraceEntry[] {
  const slugs = new Map(trace.projects.map((project) => [project.id, project.slug]));
  return [
    ...growTree(trace.spans, slugs),
    ...trace.errors.map((error) => serializeTraceError(error, slugs.get(error.event.projectId) ?? '')),
  ];
}

function growTree(spans: readonly DigestedSpan[], slugs: ReadonlyMap<number, string>): TraceSpan[] {
  const roots: TraceSpan[] = [];
  const grown: { node: TraceSpan; depth: number }[] = [];
  for (const { span, parent } of arrangeSpans(spans)) {
    const node = leaf(span, slugs);
    const above = parent === null ? undefined : grown[parent];
    const isRoot = above === undefined || above.depth === DEPTH_MAX;
    (isRoot ? roots : above.node.children).push(node);
    grown.push({ node, depth: isRoot ? 1 : above.depth + 1 });
  }
  return roots;
}

const leaf = (span: DigestedSpan, slugs: ReadonlyMap<number, string>): TraceSpan => ({
  ...serializeSpanAlone(span, slugs.get(span.projectId) ?? ''),
  children: [],
  errors: [],
  occurrences: [],
});
