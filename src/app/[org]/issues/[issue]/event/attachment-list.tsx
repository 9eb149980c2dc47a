import { Download, File } from 'lucide-react';
import type { DigestedAttachment } from '#protocol/telemetry.ts';
import { formatBytes } from '#ui/format-number.ts';
import { LazyText } from './values/lazy-text.tsx';

/** Files of an event: images are shown, texts on demand, and everything can be downloaded. */
export function AttachmentList({
  attachments,
  hrefOf,
}: {
  attachments: readonly DigestedAttachment[];
  /** Where the content of one is. */
  hrefOf: (attachment: DigestedAttachment) => string;
}) {
  return (
    <ul className="attachments">
      {attachments.map((attachment) => {
        const href = hrefOf(attachment);
        const kind = previewKind(attachment);
        return (
          <li key={attachment.attachmentId}>
            <div>
              <File aria-hidden />
              <bdi>{attachment.name}</bdi>
              <span>{`${attachment.contentType}, ${formatBytes(attachment.bytes)}`}</span>
              <a href={href} download>
                <Download aria-hidden />
                Download
              </a>
            </div>
            {kind === 'picture' ? (
              <a
                href={`${href}?show=1`}
                target="_blank"
                rel="noreferrer"
                className="block border-t bg-surface-sunken p-2"
              >
                {/* biome-ignore lint/performance/noImgElement: what somebody sent is served as it is */}
                <img
                  src={`${href}?show=1`}
                  alt={attachment.name}
                  loading="lazy"
                  className="mx-auto h-60 max-w-full object-contain"
                />
              </a>
            ) : kind === 'text' ? (
              <div className="border-t px-3 py-1.5">
                <LazyText href={`${href}?show=1`} label="Preview" />
              </div>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

/** Types that browsers show as pictures without running anything of theirs. */
const PICTURES: ReadonlySet<string> = new Set(['image/gif', 'image/jpeg', 'image/png', 'image/webp']);
const PICTURE_BYTES_MAX = 20 * 1024 * 1024;
/** Beginning of a text that is shown. */
export const TEXT_PREVIEW_BYTES = 64 * 1024;

const TEXT_NAME = /\.(?:txt|log|json|jsonl|xml|ya?ml|csv|md|ini|conf|toml)$/i;

/** Whether a file can be looked at in the page: a vector picture is a program, and no picture here. */
export function previewKind(attachment: {
  name: string;
  contentType: string;
  bytes: number;
}): 'picture' | 'text' | null {
  const type = mediaType(attachment.contentType);
  if (PICTURES.has(type)) return attachment.bytes <= PICTURE_BYTES_MAX ? 'picture' : null;
  if (/^text\//.test(type) || type === 'application/json' || TEXT_NAME.test(attachment.name)) return 'text';
  return null;
}

/** `image/png` of `Image/PNG; q=1`. */
export const mediaType = (contentType: string): string =>
  (contentType.toLowerCase().split(';')[0] ?? '').trim();
