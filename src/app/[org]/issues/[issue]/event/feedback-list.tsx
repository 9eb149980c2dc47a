import type { DigestedFeedback } from '#protocol/telemetry.ts';
import { Avatar } from '#ui/avatar.tsx';
import { ExternalLink } from '#ui/external-link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

/** What people said, as they wrote it. */
export function FeedbackList({
  rows,
  now,
  eventLink,
}: {
  rows: readonly DigestedFeedback[];
  now: number;
  /** Leads to the event that a row is about; absent where that event is shown already. */
  eventLink?: (row: DigestedFeedback) => React.ReactNode;
}) {
  return (
    <ul className="space-y-4">
      {rows.map((row) => {
        const name = row.name || row.email || 'Anonymous';
        return (
          <li key={row.feedbackId} className="flex min-w-0 gap-3">
            <Avatar name={name} />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
                <bdi className="break-anything font-medium">{name}</bdi>
                {row.email && row.email !== name ? (
                  <bdi className="break-anything text-text-muted text-xs">{row.email}</bdi>
                ) : null}
                <RelativeTime at={row.occurredAt} now={now} className="text-text-muted text-xs" />
              </p>
              <p className="mt-0.5 whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">
                <bdi>{row.message}</bdi>
              </p>
              <p className="mt-1 flex flex-wrap gap-x-3 text-xs">
                {row.url ? <ExternalLink href={row.url} /> : null}
                {eventLink?.(row)}
              </p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
