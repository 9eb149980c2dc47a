import { Panel } from '#app/shell/panel.tsx';
import type { DigestedAttachment } from '#protocol/telemetry.ts';
import { formatBytes } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';

const EVENT_ID_SHOWN = 8;

/** Files by event, the last to arrive first. */
export function AttachmentTable({
  attachments,
  issueHref,
  now,
}: {
  attachments: readonly DigestedAttachment[];
  issueHref: string;
  now: number;
}) {
  return (
    <Panel>
      <Table label="Attachments">
        <thead>
          <tr>
            <Th>Name</Th>
            <Th>Type</Th>
            <Th align="right">Size</Th>
            <Th>Event</Th>
            <Th>Arrived</Th>
          </tr>
        </thead>
        <tbody>
          {attachments.map((attachment) => {
            const eventHref = `${issueHref}/events/${attachment.eventId}`;
            return (
              <Tr key={attachment.attachmentId}>
                <Td className="max-w-80">
                  <a
                    href={`${eventHref}/attachments/${attachment.attachmentId}`}
                    download
                    className="break-anything text-accent underline-offset-2 hover:underline"
                  >
                    <bdi>{attachment.name}</bdi>
                  </a>
                </Td>
                <Td className="max-w-52">
                  <bdi className="block truncate text-text-muted" title={attachment.type}>
                    {attachment.contentType || attachment.type}
                  </bdi>
                </Td>
                <Td align="right">{formatBytes(attachment.bytes)}</Td>
                <Td>
                  <Link
                    href={eventHref}
                    className="mono text-accent text-xs underline-offset-2 hover:underline"
                  >
                    {attachment.eventId.slice(0, EVENT_ID_SHOWN)}
                  </Link>
                </Td>
                <Td className="whitespace-nowrap">
                  <RelativeTime at={attachment.receivedAt} now={now} />
                </Td>
              </Tr>
            );
          })}
        </tbody>
      </Table>
    </Panel>
  );
}

/** Screenshots beside each other; each opens whole. */
export function PictureGallery({
  pictures,
  issueHref,
}: {
  pictures: readonly DigestedAttachment[];
  issueHref: string;
}) {
  return (
    <ul aria-label="Screenshots" className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      {pictures.map(({ attachmentId, eventId, name }) => {
        const src = `${issueHref}/events/${eventId}/attachments/${attachmentId}?show=1`;
        return (
          <li key={attachmentId} className="min-w-0 rounded-md border bg-surface-raised">
            <a href={src} target="_blank" rel="noreferrer" className="block rounded-md no-underline">
              {/* biome-ignore lint/performance/noImgElement: what somebody sent is served as it is */}
              <img
                src={src}
                alt=""
                loading="lazy"
                className="h-40 w-full rounded-t-md bg-surface-sunken object-contain p-1"
              />
              <bdi className="block truncate px-2 py-1.5 text-text-muted text-xs">{name}</bdi>
            </a>
          </li>
        );
      })}
    </ul>
  );
}
