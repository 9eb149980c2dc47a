import type { DigestedAttachment } from '#protocol/telemetry.ts';

/** Screenshots beside each other; each opens whole. */
export function PictureGallery({
  pictures,
  issueHref,
}: {
  pictures: readonly DigestedAttachment[];
  issueHref: string;
}) {
  return (
    <ul aria-label="Pictures" className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
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
