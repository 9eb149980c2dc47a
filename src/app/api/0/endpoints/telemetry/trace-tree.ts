import { isoOfMs, secondsOfUs } from '#app/api/0/shapes/moments.ts';
import type { Trace } from '#product/traces/traces.ts';
import type { DigestedSpan } from '#protocol/telemetry.ts';

/** Spans further down stand at the top: a client that walks down a tree must reach its end. */
const DEPTH_MAX = 200;

/** A span with what it started. Nothing is made an issue here but errors, and those know their trace only. */
export type TraceSpan = ReturnType<typeof serializeSpanAlone> & {
  children: TraceSpan[];
  errors: never[];
  occurrences: never[];
};

export type TraceEntry = TraceSpan | ReturnType<typeof serializeTraceError>;

/**
 * The spans as a tree, then the errors, each oldest first. A span whose parent is not there stands at the top.
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
  const known = new Set(spans.map(({ spanId }) => spanId));
  const below = Map.groupBy(spans, ({ parentSpanId }) => parentSpanId ?? '');
  const isRoot = ({ parentSpanId }: DigestedSpan) => parentSpanId === null || !known.has(parentSpanId);
  const roots: TraceSpan[] = [];
  const placed = new Set<DigestedSpan>();
  // Spans that are their own ancestors have no root: the oldest of them stands for one.
  for (const root of [...spans.filter(isRoot), ...spans]) {
    if (placed.has(root)) continue;
    placed.add(root);
    const node = leaf(root, slugs);
    roots.push(node);
    const open = [{ span: root, node, depth: 1 }];
    for (let next = open.pop(); next; next = open.pop()) {
      for (const child of below.get(next.span.spanId) ?? []) {
        if (placed.has(child)) continue;
        placed.add(child);
        const isDeep = next.depth === DEPTH_MAX;
        const childNode = leaf(child, slugs);
        (isDeep ? roots : next.node.children).push(childNode);
        open.push({ span: child, node: childNode, depth: isDeep ? 1 : next.depth + 1 });
      }
    }
  }
  return roots;
}

const leaf = (span: DigestedSpan, slugs: ReadonlyMap<number, string>): TraceSpan => ({
  ...serializeSpanAlone(span, slugs.get(span.projectId) ?? ''),
  children: [],
  errors: [],
  occurrences: [],
});

const serializeSpanAlone = (span: DigestedSpan, projectSlug: string) => ({
  event_id: span.spanId,
  event_type: 'span' as const,
  span_id: span.spanId,
  transaction_id: span.transactionId ?? '',
  project_id: span.projectId,
  project_slug: projectSlug,
  transaction: span.segmentName,
  description: span.name,
  op: span.op,
  name: span.op,
  parent_span_id: span.parentSpanId,
  profile_id: '',
  profiler_id: '',
  sdk_name: span.sdkName,
  is_transaction: span.isSegment,
  start_timestamp: secondsOfUs(span.startedAtUs),
  end_timestamp: secondsOfUs(span.startedAtUs + span.durationUs),
  duration: span.durationUs / 1_000,
  measurements: {},
  status: span.status,
});

const serializeTraceError = ({ event, issue }: Trace['errors'][number], projectSlug: string) => ({
  event_id: event.eventId,
  event_type: 'error' as const,
  issue_id: issue?.id ?? null,
  issue: issue?.shortId ?? null,
  project_id: event.projectId,
  project_slug: projectSlug,
  title: event.title,
  message: event.message,
  culprit: event.culprit,
  level: event.level,
  transaction: event.transaction ?? '',
  timestamp: isoOfMs(event.occurredAt),
});
