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
    <ul className="space-y-3">
      {attachments.map((attachment) => {
        const href = hrefOf(attachment);
        const kind = previewKind(attachment);
        return (
          <li key={attachment.attachmentId} className="min-w-0 rounded-md border">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-sm">
              <File aria-hidden className="size-4 shrink-0 text-text-muted" />
              <bdi className="break-anything min-w-0 flex-1 font-medium">{attachment.name}</bdi>
              <span className="numbers text-text-muted text-xs">
                {attachment.contentType}, {formatBytes(attachment.bytes)}
              </span>
              <a
                href={href}
                download
                className="inline-flex items-center gap-1 rounded-sm text-accent text-xs hover:underline"
              >
                <Download aria-hidden className="size-3.5" />
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
