import { Panel } from '#app/shell/panel.tsx';
import { type QueryEntries, withQuery } from '#app/url-state.ts';
import { shortenHashes } from '#lib/shorten-hashes.ts';
import type { EventSummary } from '#storage/ports/events.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';
import { TableTime, TimeZoneName } from '#ui/table-time.tsx';

const EVENT_ID_SHOWN = 8;

/** Events, one a row, each leading to its page. */
export function EventTable({
  label,
  events,
  issueHref,
  entries,
  now,
}: {
  label: string;
  events: readonly EventSummary[];
  issueHref: string;
  /** The filter, kept on the page of the event. */
  entries: QueryEntries;
  now: number;
}) {
  return (
    <Panel>
      <Table label={label}>
        <thead>
          <tr>
            <Th>Event</Th>
            <Th>
              Time <TimeZoneName className="font-normal text-text-faint" />
            </Th>
            <Th>Release</Th>
            <Th>Environment</Th>
            <Th>User</Th>
            <Th>Transaction</Th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <EventRow
              key={event.eventId}
              event={event}
              href={withQuery(`${issueHref}/events/${event.eventId}`, entries)}
              now={now}
            />
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

function EventRow({ event, href, now }: { event: EventSummary; href: string; now: number }) {
  const user = event.user.email ?? event.user.username ?? event.user.id ?? event.user.ip;
  return (
    <Tr>
      <Td>
        <Link
          href={href}
          className="mono whitespace-nowrap text-accent text-xs underline-offset-2 hover:underline"
        >
          {event.eventId.slice(0, EVENT_ID_SHOWN)}
        </Link>
        <bdi className="block max-w-36 truncate text-text-muted text-xs sm:max-w-80" title={event.title}>
          {event.message || event.title}
        </bdi>
      </Td>
      <Td className="whitespace-nowrap">
        <RelativeTime at={event.occurredAt} now={now} />
        <TableTime at={event.occurredAt} className="block text-text-muted text-xs" />
      </Td>
      <Cell text={event.release} shown={event.release && shortenHashes(event.release)} />
      <Cell text={event.environment} />
      <Cell text={user} />
      <Cell text={event.transaction ?? event.culprit} />
    </Tr>
  );
}

function Cell({ text, shown = text }: { text: string | null; shown?: string | null }) {
  return (
    <Td className="max-w-52">
      {text ? (
        <bdi className="block truncate" title={text}>
          {shown}
        </bdi>
      ) : (
        <span className="text-text-faint">–</span>
      )}
    </Td>
  );
}
