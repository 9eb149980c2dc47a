import { ChevronLeft, ChevronRight } from 'lucide-react';
import { withQuery } from '#app/url-state.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { formatExact } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import type { EventPlace } from './event/event-parts.ts';
import { CopyFrom } from './event/section-controls.tsx';
import { EventKeys } from './issue-keys.tsx';
import type { ShownEvent } from './load-issue-page.ts';
import { StepLink } from './step-link.tsx';

const EVENT_ID_SHOWN = 8;

/** Which event of the issue is shown, and the way to the others. */
export function EventNavigation({
  issueHref,
  shown: {
    event,
    neighbors: { previousId, nextId, position, total },
    isOutside,
  },
  which,
  place,
  now,
}: {
  issueHref: string;
  shown: ShownEvent;
  /** What the address asks for: an event id, `recommended`, `latest` or `oldest`. */
  which: string;
  place: EventPlace;
  now: number;
}) {
  const base = `${issueHref}/events`;
  const hrefOf = (id: string) => withQuery(`${base}/${id}`, place.entries);
  const previousHref = previousId === null ? null : hrefOf(previousId);
  const nextHref = nextId === null ? null : hrefOf(nextId);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <EventKeys previousHref={previousHref} nextHref={nextHref} />
      <div className="min-w-0 text-sm">
        <h2 className="flex flex-wrap items-center gap-x-2 font-semibold">
          <span>
            Event <span className="numbers">{formatExact(position)}</span> of{' '}
            <Link
              href={isOutside ? base : withQuery(base, place.entries)}
              className="numbers text-text underline decoration-border-strong underline-offset-2"
            >
              {formatExact(total)}
            </Link>
          </span>
          {isOutside ? (
            <span className="font-normal text-text-muted text-xs">outside the filters</span>
          ) : null}
          <span className="inline-flex items-center font-normal text-text-muted">
            <span className="mono text-xs" title={event.eventId}>
              {event.eventId.slice(0, EVENT_ID_SHOWN)}
            </span>
            <CopyButton text={event.eventId} label="Copy event ID" />
          </span>
          <RelativeTime at={event.occurredAt} now={now} className="font-normal text-text-muted text-xs" />
        </h2>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <CopyFrom
          href={`${place.eventHref}/markdown`}
          label="Copy this event as Markdown for a coding agent or a colleague"
        >
          Markdown
        </CopyFrom>
        <nav aria-label="Events" className="flex items-center gap-1">
          {EDGES.map(({ edge, label }) => (
            <Link
              key={edge}
              href={edge === 'recommended' ? withQuery(issueHref, place.entries) : hrefOf(edge)}
              aria-current={edge === which ? 'true' : undefined}
              scroll={false}
              className="edge-link"
            >
              {label}
            </Link>
          ))}
          <StepLink href={previousHref} label="Previous event" shortcut="[" scroll={false}>
            <ChevronLeft aria-hidden className="size-4" />
          </StepLink>
          <StepLink href={nextHref} label="Next event" shortcut="]" scroll={false}>
            <ChevronRight aria-hidden className="size-4" />
          </StepLink>
        </nav>
      </div>
    </div>
  );
}

const EDGES = [
  { edge: 'recommended', label: 'Recommended' },
  { edge: 'latest', label: 'Latest' },
  { edge: 'oldest', label: 'Oldest' },
] as const;
