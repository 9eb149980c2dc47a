import type { TraceOutline } from '#product/traces/trace-outline.ts';

/** An error as the waterfall marks it. */
export type TraceMark = {
  eventId: string;
  title: string;
  /** Slug. */
  project: string;
  level: TraceOutline['errors'][number]['event']['level'];
  /** Milliseconds since the epoch. */
  atMs: number;
  /** The span in which it happened; null when the trace has none. */
  spanId: string | null;
  /** The page of the event; null when its issue is gone. */
  href: string | null;
};

const US_PER_MS = 1_000;

/**
 * The errors of a trace with the spans in which they happened. Where an error names no span of the trace, it is the last
 * one of its own project that had begun by then: that of the request at least.
 */
export function placeErrors(
  { spans, errors, projects }: TraceOutline,
  organizationSlug: string,
): readonly TraceMark[] {
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]));
  const known = new Set(spans.map(({ span }) => span.spanId));
  return errors.map(({ event, issue }) => {
    const atUs = event.occurredAt * US_PER_MS;
    const within = spans.findLast(
      ({ span }) =>
        span.isSegment &&
        span.projectId === event.projectId &&
        span.startedAtUs <= atUs &&
        // Errors are told in whole milliseconds.
        atUs <= span.startedAtUs + span.durationUs + US_PER_MS,
    );
    return {
      eventId: event.eventId,
      title: event.title,
      project: slugs.get(event.projectId) ?? '',
      level: event.level,
      atMs: event.occurredAt,
      spanId: event.spanId !== null && known.has(event.spanId) ? event.spanId : (within?.span.spanId ?? null),
      href: issue && `/${organizationSlug}/issues/${issue.shortId}/events/${event.eventId}`,
    };
  });
}
