import { MARK_OF_LOG } from '#app/[org]/traces/log-levels.ts';
import { withQuery } from '#app/url-state.ts';
import { HOUR_MS } from '#lib/time.ts';
import type { LogsAround } from '#product/logs/list-logs-around.ts';
import { cx } from '#ui/cx.ts';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { LevelMark } from '#ui/level-badge.tsx';
import { Link } from '#ui/navigation/link.tsx';

const US_PER_MS = 1_000;

/** What was logged in the trace of the event around it, oldest first, each by how long before or after the event. */
export function EventLogs({
  logs: { lines, hasMore },
  organizationSlug,
  traceId,
  atMs,
}: {
  logs: LogsAround;
  organizationSlug: string;
  traceId: string;
  /** When the event happened, in milliseconds since the epoch. */
  atMs: number;
}) {
  return (
    <>
      <ol className="divide-y rounded-md border bg-surface-raised">
        {lines.map(({ id, level, message, atUs }) => {
          const offsetUs = atUs - atMs * US_PER_MS;
          return (
            <li
              key={id}
              className={cx(
                'flex items-baseline gap-2 px-3 py-1.5 text-xs',
                offsetUs > 0 && 'text-text-muted',
              )}
            >
              <time
                dateTime={new Date(atUs / US_PER_MS).toISOString()}
                className="numbers w-20 shrink-0 text-right text-text-muted"
              >
                {offsetUs > 0 ? '+' : '−'}
                {formatElapsed(Math.abs(offsetUs))}
              </time>
              <LevelMark level={MARK_OF_LOG[level] ?? 'info'} className="self-center" />
              <bdi className="mono break-anything line-clamp-6 min-w-0 flex-1 whitespace-pre-wrap">
                {message}
              </bdi>
            </li>
          );
        })}
      </ol>
      <p className="mt-2 text-sm">
        <Link
          href={withQuery(`/${organizationSlug}/explore/logs`, {
            query: `trace:${traceId}`,
            start: new Date(atMs - HOUR_MS).toISOString(),
            end: new Date(atMs + HOUR_MS).toISOString(),
          })}
          className="text-accent underline underline-offset-2"
        >
          {hasMore ? 'All logs of the trace, with those not shown here' : 'Logs of the trace'}
        </Link>
      </p>
    </>
  );
}
