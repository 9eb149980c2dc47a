import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { IssueEvent } from '#product/issues/get-issue-event.ts';
import type { Issue } from '#storage/ports/issues.ts';
import { buttonClass } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { formatExact } from '#ui/format-number.ts';
import { Link } from '#ui/link.tsx';
import { ExactTime, RelativeTime } from '#ui/relative-time.tsx';

const EVENT_ID_SHOWN = 8;

/** Which event of the issue is shown, and the way to the others. */
export function EventNavigation({
  organizationSlug,
  issue,
  event: { event, previousId, nextId, position, total },
  now,
}: {
  organizationSlug: string;
  issue: Issue;
  event: IssueEvent;
  now: number;
}) {
  const base = `/${organizationSlug}/issues/${issue.shortId}/events`;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-2">
      <div className="min-w-0 text-sm">
        <h2 className="flex flex-wrap items-center gap-x-2 font-semibold">
          <span>
            Event <span className="numbers">{formatExact(position)}</span> of{' '}
            <Link
              href={base}
              className="numbers text-text underline decoration-border-strong underline-offset-2"
            >
              {formatExact(total)}
            </Link>
          </span>
          <span className="inline-flex items-center font-normal text-text-muted">
            <span className="mono text-xs" title={event.eventId}>
              {event.eventId.slice(0, EVENT_ID_SHOWN)}
            </span>
            <CopyButton text={event.eventId} label="Copy the event id" />
          </span>
        </h2>
        <p className="text-text-muted text-xs">
          <ExactTime at={event.occurredAt} /> (<RelativeTime at={event.occurredAt} now={now} />)
        </p>
      </div>
      <nav aria-label="Events" className="flex items-center gap-1">
        <Step href={previousId && `${base}/oldest`} label="Oldest event">
          <ChevronsLeft aria-hidden className="size-4" />
        </Step>
        <Step href={previousId && `${base}/${previousId}`} label="Previous event">
          <ChevronLeft aria-hidden className="size-4" />
        </Step>
        <Step href={nextId && `${base}/${nextId}`} label="Next event">
          <ChevronRight aria-hidden className="size-4" />
        </Step>
        <Step href={nextId && `${base}/latest`} label="Latest event">
          <ChevronsRight aria-hidden className="size-4" />
        </Step>
        <Link href={base} className={buttonClass({ size: 'sm' })}>
          All events
        </Link>
      </nav>
    </div>
  );
}

function Step({ href, label, children }: { href: string | null; label: string; children: ReactNode }) {
  const look = buttonClass({ size: 'sm', iconOnly: true });
  if (href === null) {
    return (
      <span aria-hidden className={`${look} opacity-45`}>
        {children}
      </span>
    );
  }
  return (
    <Link href={href} aria-label={label} title={label} className={look} scroll={false}>
      {children}
    </Link>
  );
}
