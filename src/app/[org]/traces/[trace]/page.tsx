import { Route } from 'lucide-react';
import type { Metadata } from 'next';
import { orNotFound } from '#app/or-not-found.ts';
import { getRequestContext } from '#app/request-context.ts';
import { EmptyPanel, LoadError } from '#app/shell/panel.tsx';
import type { PageRequest } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { visibleData } from '#lib/visible-text.ts';
import { getTraceOutline, TRACE_SPANS_MAX, type TraceOutline } from '#product/traces/trace-outline.ts';
import { formatExact } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/page-header.tsx';
import { placeErrors } from './place-errors.ts';
import { placeProfiles } from './place-profiles.ts';
import { TraceFacts } from './trace-facts.tsx';
import { TraceErrors, TraceLogs, TraceProfiles } from './trace-lists.tsx';
import { packSpans } from './waterfall/packed-spans.ts';
import { Waterfall } from './waterfall/waterfall.tsx';

export async function generateMetadata({ params }: PageRequest<'trace'>): Promise<Metadata> {
  return { title: `Trace ${(await params).trace.slice(0, 8)}` };
}

/** Everything that happened in one trace, over all projects: its spans in time, its errors and its logs. */
export default async function TracePage({ params }: PageRequest<'org' | 'trace'>) {
  const { org, trace: traceId } = await params;
  const ctx = await getRequestContext(org);
  const found = visibleData(await orUnavailable(orNotFound(getTraceOutline(ctx, traceId))));
  if (!found.ok) {
    return (
      <Page title="Trace">
        <LoadError what="the trace">{found.reason}</LoadError>
      </Page>
    );
  }
  const trace = found.value;
  const slugs = new Map(trace.projects.map(({ id, slug }) => [id, slug]));
  const errors = placeErrors(trace, org);
  const profiles = placeProfiles(trace, org);
  return (
    <Page title={<bdi className="break-anything">{titleOf(trace)}</bdi>}>
      <TraceFacts organizationSlug={org} trace={trace} profiles={profiles.length} now={ctx.now()} />
      {trace.hasMoreSpans ? (
        <Notice tone="warning" title={`Only the first ${formatExact(TRACE_SPANS_MAX)} spans are shown`}>
          Those that began later are left out.
        </Notice>
      ) : null}
      <div className="flex flex-col gap-5">
        {trace.spans.length > 0 ? (
          <Waterfall
            organizationSlug={org}
            traceId={trace.traceId}
            packed={packSpans(trace.spans, (projectId) => slugs.get(projectId) ?? '')}
            errors={errors}
            profiles={profiles}
          />
        ) : (
          <EmptyPanel icon={<Route />} title="No spans in this trace">
            Errors and logs name this trace, but no span of it was sent: tracing is off in the SDK, the trace
            was not sampled, or its spans are past their retention period.
          </EmptyPanel>
        )}
        <TraceErrors errors={errors} hasMore={trace.hasMoreErrors} now={ctx.now()} />
        <TraceProfiles profiles={profiles} />
        <TraceLogs
          logs={trace.logs}
          hasMore={trace.hasMoreLogs}
          originMs={originOf(trace)}
          slugOf={(projectId) => slugs.get(projectId) ?? ''}
        />
      </div>
    </Page>
  );
}

/** What the trace was about: the longest of those that nothing known started. */
function titleOf({ spans, errors }: TraceOutline): string {
  const roots = spans.filter(({ parent }) => parent === null);
  const longest = roots.reduce<(typeof roots)[number] | null>(
    (best, each) => (best === null || each.span.durationUs > best.span.durationUs ? each : best),
    null,
  );
  return longest?.span.name || longest?.span.op || errors[0]?.event.title || 'Trace';
}

const US_PER_MS = 1_000;

/** Milliseconds since the epoch. */
const originOf = ({ spans, logs }: TraceOutline): number =>
  spans.reduce(
    (first, { span }) => Math.min(first, span.startedAtUs),
    spans.length === 0 ? (logs[0]?.occurredAtUs ?? 0) : Infinity,
  ) / US_PER_MS;
