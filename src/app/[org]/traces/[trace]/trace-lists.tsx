import { TRACE_ERRORS_MAX, TRACE_LOGS_MAX, type TraceOutline } from '#product/traces/trace-outline.ts';
import { Card } from '#ui/card.tsx';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatExact } from '#ui/format-number.ts';
import { LevelMark } from '#ui/level-badge.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { MARK_OF_LOG } from '../log-levels.ts';
import type { TraceMark } from './place-errors.ts';
import type { TraceProfile } from './place-profiles.ts';
import { SpanLink } from './span-link.tsx';

const US_PER_MS = 1_000;

/** The errors of a trace, oldest first; nothing when there are none. */
export function TraceErrors({
  errors,
  hasMore,
  now,
}: {
  errors: readonly TraceMark[];
  hasMore: boolean;
  now: number;
}) {
  if (errors.length === 0) return null;
  return (
    <Card
      id="errors"
      flush
      title={hasMore ? `Errors: the first ${formatExact(TRACE_ERRORS_MAX)}` : `Errors (${errors.length})`}
    >
      <ul className="divide-y">
        {errors.map(({ eventId, title, project, level, atMs, spanId, href }) => (
          <li key={eventId} className="flex items-center gap-3 px-4 py-2 text-sm">
            <LevelMark level={level} />
            <bdi className="min-w-0 flex-1 truncate" title={title}>
              {href === null ? title : <Link href={href}>{title}</Link>}
            </bdi>
            <ProjectName>{project}</ProjectName>
            {spanId === null ? null : <SpanLink spanId={spanId}>Show span</SpanLink>}
            <RelativeTime at={atMs} now={now} className="shrink-0 text-text-muted text-xs" />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The profiles of a trace, oldest first; nothing when there are none. */
export function TraceProfiles({ profiles }: { profiles: readonly TraceProfile[] }) {
  if (profiles.length === 0) return null;
  return (
    <Card id="profiles" flush title={`Profiles (${formatExact(profiles.length)})`}>
      <ul className="divide-y">
        {profiles.map(({ key, name, project, durationUs, spanId, href }) => (
          <li key={key} className="flex items-center gap-3 px-4 py-2 text-sm">
            <bdi className="min-w-0 flex-1 truncate" title={name}>
              <Link href={href}>{name}</Link>
            </bdi>
            <ProjectName>{project}</ProjectName>
            {spanId === null ? null : <SpanLink spanId={spanId}>Show span</SpanLink>}
            {durationUs === null ? null : (
              <span className="numbers shrink-0 text-text-muted text-xs">{formatElapsed(durationUs)}</span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The logs of a trace, oldest first, each by when it was written after the trace began; nothing when there are none. */
export function TraceLogs({
  logs,
  hasMore,
  originMs,
  slugOf,
}: {
  logs: TraceOutline['logs'];
  hasMore: boolean;
  /** When the trace began, in milliseconds since the epoch. */
  originMs: number;
  slugOf: (projectId: number) => string;
}) {
  if (logs.length === 0) return null;
  return (
    <Card
      id="logs"
      flush
      title={hasMore ? `Logs: the last ${formatExact(TRACE_LOGS_MAX)}` : `Logs (${logs.length})`}
    >
      <ol className="divide-y">
        {logs.map(({ rowId, projectId, level, body, spanId, occurredAtUs }) => (
          <li key={rowId} className="flex items-baseline gap-3 px-4 py-1.5 text-xs">
            <span className="numbers w-16 shrink-0 text-right text-text-muted">
              {formatElapsed(occurredAtUs - originMs * US_PER_MS)}
            </span>
            <LevelMark level={MARK_OF_LOG[level]} className="self-center" />
            <bdi className="mono break-anything min-w-0 flex-1 whitespace-pre-wrap">{body}</bdi>
            <ProjectName>{slugOf(projectId)}</ProjectName>
            {spanId === null ? null : <SpanLink spanId={spanId}>Show span</SpanLink>}
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** Whose it is; a phone has no room for it. */
const ProjectName = ({ children }: { children: string }) => (
  <span className="max-w-40 shrink-0 truncate text-text-muted text-xs max-sm:hidden">{children}</span>
);
