import { ChevronLeft, ChevronRight, Inbox } from 'lucide-react';
import { isErrataError } from '#lib/errors.ts';
import { type Part, settle } from '#lib/settle.ts';
import { listIssueEvents } from '#product/issues/list-issue-events.ts';
import type { EventSummary } from '#storage/ports/events.ts';
import { ButtonLink } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { ExactTime, RelativeTime } from '#ui/relative-time.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';
import { firstValue, type SearchParams, withQuery } from '../../../../../url-state.ts';
import { issueTitle } from '../../../issue-view.ts';
import { getIssueRequest } from '../../issue-request.ts';

const PAGE_EVENTS = 50;
const EVENT_ID_SHOWN = 8;

type EventsOfIssue = Awaited<ReturnType<typeof listIssueEvents>>;

/** The events of an issue, newest first. */
export default async function IssueEventsPage({
  params,
  searchParams,
}: {
  params: Promise<{ org: string; issue: string }>;
  searchParams: Promise<SearchParams>;
}) {
  const { org, issue: reference } = await params;
  const { ctx, issue } = await getIssueRequest(org, reference);
  const cursor = firstValue(await searchParams, 'cursor') || null;
  const page = await readPage();
  const base = `/${ctx.organization.slug}/issues/${issue.shortId}`;
  const { heading, message } = issueTitle(issue);
  return (
    <PageBody>
      <PageHeader
        title={`Events of ${issue.shortId}`}
        description={
          <Link href={base} className="break-anything text-text-muted no-underline hover:underline">
            <bdi className="font-medium text-text">{heading}</bdi> <bdi>{message}</bdi>
          </Link>
        }
        actions={
          <span className="numbers text-sm text-text-muted">
            {formatPlural(issue.timesSeen, 'event')} in total
          </span>
        }
      />
      {!page.ok ? (
        <Notice tone="warning" title="The events cannot be shown now" actions={<ReloadButton />}>
          {page.reason}
        </Notice>
      ) : page.value.events.length === 0 ? (
        <div className="rounded-lg border bg-surface-raised">
          <EmptyState icon={<Inbox />} title="No event is kept">
            Events are kept for a limited time. The counts of the issue stay.
          </EmptyState>
        </div>
      ) : (
        <div className="rounded-lg border bg-surface-raised">
          <Table label={`Events of ${issue.shortId}`}>
            <thead>
              <tr>
                <Th>Event</Th>
                <Th>When</Th>
                <Th>Release</Th>
                <Th>Environment</Th>
                <Th>User</Th>
                <Th>Place</Th>
              </tr>
            </thead>
            <tbody>
              {page.value.events.map((event) => (
                <EventRow key={event.eventId} event={event} base={base} now={ctx.now()} />
              ))}
            </tbody>
          </Table>
        </div>
      )}
      {page.ok && (cursor || page.value.nextCursor) ? (
        <nav aria-label="Pages" className="mt-3 flex justify-end gap-2">
          {cursor ? (
            <ButtonLink size="sm" href={`${base}/events`}>
              <ChevronLeft aria-hidden className="size-3.5" />
              Newest
            </ButtonLink>
          ) : null}
          {page.value.nextCursor ? (
            <ButtonLink size="sm" href={withQuery(`${base}/events`, { cursor: page.value.nextCursor })}>
              Older
              <ChevronRight aria-hidden className="size-3.5" />
            </ButtonLink>
          ) : null}
        </nav>
      ) : null}
    </PageBody>
  );

  /** A cursor that cannot be read (an edited address) shows the newest events instead. */
  async function readPage(): Promise<Part<EventsOfIssue>> {
    try {
      return await settle(listIssueEvents(ctx, issue, { cursor, limit: PAGE_EVENTS, range: null }));
    } catch (error) {
      if (!cursor || !isErrataError(error) || error.code !== 'invalid') throw error;
      return settle(listIssueEvents(ctx, issue, { cursor: null, limit: PAGE_EVENTS, range: null }));
    }
  }
}

function EventRow({ event, base, now }: { event: EventSummary; base: string; now: number }) {
  const user = event.user.email ?? event.user.username ?? event.user.id ?? event.user.ip;
  return (
    <Tr>
      <Td>
        <Link
          href={`${base}/events/${event.eventId}`}
          className="mono whitespace-nowrap text-accent text-xs underline-offset-2 hover:underline"
        >
          {event.eventId.slice(0, EVENT_ID_SHOWN)}
        </Link>
        <bdi className="block max-w-36 truncate sm:max-w-80 text-text-muted text-xs" title={event.title}>
          {event.message || event.title}
        </bdi>
      </Td>
      <Td className="whitespace-nowrap">
        <RelativeTime at={event.occurredAt} now={now} />
        <ExactTime at={event.occurredAt} className="block text-text-muted text-xs" />
      </Td>
      <Cell text={event.release} />
      <Cell text={event.environment} />
      <Cell text={user} />
      <Cell text={event.transaction ?? event.culprit} />
    </Tr>
  );
}

function Cell({ text }: { text: string | null }) {
  return (
    <Td className="max-w-52">
      {text ? (
        <bdi className="block truncate" title={text}>
          {text}
        </bdi>
      ) : (
        <span className="text-text-faint">–</span>
      )}
    </Td>
  );
}
