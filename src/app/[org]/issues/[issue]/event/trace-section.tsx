import { withQuery } from '#app/url-state.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { Link } from '#ui/navigation/link.tsx';

/** 32 lower-case hex digits; null when the event belongs to no trace. */
export function traceIdOf(event: NormalizedEvent): string | null {
  const id = event.contexts?.trace?.trace_id;
  return typeof id === 'string' && /^[0-9a-f]{32}$/.test(id) ? id : null;
}

/** The trace that the event belongs to, and what else happened in it. */
export function TraceSection({ organizationSlug, traceId }: { organizationSlug: string; traceId: string }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span className="inline-flex min-w-0 items-center">
        <code className="mono break-anything text-xs">{traceId}</code>
        <CopyButton text={traceId} label="Copy the trace id" />
      </span>
      <Link
        href={withQuery(`/${organizationSlug}/issues`, { query: `trace:${traceId}` })}
        className="text-accent underline underline-offset-2"
      >
        Issues of the same trace
      </Link>
    </p>
  );
}
