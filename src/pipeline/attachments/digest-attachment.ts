import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedAttachment } from '#protocol/telemetry.ts';
import { accepted, type DigestItem, discarded, type ItemContext, storeBody } from '../item.ts';
import { cutText } from '../normalize/safe-text.ts';
import { originOf } from '../telemetry/row-identity.ts';

const DEFAULT_TYPE = 'event.attachment';
const TYPE = /^[a-z][a-z0-9_.]{0,63}$/;
/** In place of the content: where it was uploaded to, in a way that is not offered here. */
const PLACEHOLDER_TYPE = 'application/vnd.sentry.attachment-ref';

/** A file that belongs to an event. Its content goes to the blob store, scrubbed by then. Source: relay-server/src/envelope/attachment.rs. */
export const digestAttachment: DigestItem = (item, context) => {
  if (parseEventId(context.envelopeEventId) === null) return discarded('attachment', 'missing_event_id');
  if (item.contentType?.startsWith(PLACEHOLDER_TYPE)) {
    return discarded('attachment', 'unsupported_item', 'filtered');
  }
  if (item.bodyFate === 'discarded') return discarded('attachment', 'text_attachment', 'filtered');
  if (item.bodyFate === 'unreadable') return discarded('attachment', 'text_too_large');
  const { blobs, ...body } = storeBody(item, context);
  const row = attachmentRow(
    {
      attachmentId: item.itemId,
      name: item.filename,
      contentType: item.contentType,
      type: item.attachmentType,
      ...body,
    },
    context,
  );
  return accepted('attachment', { attachments: [row] }, 1, blobs);
};

/** What is stored of a file whose content lies in the blob store under `blobKey`. */
export function attachmentRow(
  /** Texts as they were sent. */
  file: Pick<DigestedAttachment, 'attachmentId' | 'bytes' | 'blobKey'> & {
    name: string | null;
    contentType: string | null;
    type: string | null;
  },
  context: ItemContext,
): DigestedAttachment {
  const name = fileNameOf(file.name);
  const type = file.type?.toLowerCase() ?? '';
  return {
    ...originOf(context),
    attachmentId: file.attachmentId,
    eventId: parseEventId(context.envelopeEventId) ?? '',
    // A rule may put anything in its place: it must still be a name.
    name: fileNameOf(context.rules.scrubber.scrubAttachmentName(name)),
    contentType: contentTypeOf(file.contentType, name),
    type: TYPE.test(type) ? type : DEFAULT_TYPE,
    bytes: file.bytes,
    blobKey: file.blobKey,
  };
}

/** File name of an attachment; a longer one keeps its extension. */
const NAME_CHARS_MAX = 255;
const UNNAMED = 'Unnamed Attachment';

/** The name of a file without the folders before it and without control characters; never empty, `.` or `..`. */
export function fileNameOf(sent: string | null): string {
  const base = (sent ?? '').split(/[\\/]/).at(-1) ?? '';
  const name = base
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, '')
    .toWellFormed()
    .trim();
  return /^\.{0,2}$/.test(name) ? UNNAMED : shorten(name);
}

/** Keeps the extension: it says what the file is. */
function shorten(name: string): string {
  if (name.length <= NAME_CHARS_MAX) return name;
  const extension = /\.\w{1,16}$/.exec(name)?.[0] ?? '';
  return `${cutText(name, NAME_CHARS_MAX - extension.length)}${extension}`;
}

const MIME_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,99}$/;
const UNKNOWN = 'application/octet-stream';

/** What SDKs attach; everything else is bytes. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  bmp: 'image/bmp',
  css: 'text/css',
  csv: 'text/csv',
  dmp: 'application/x-dmp',
  gif: 'image/gif',
  gz: 'application/gzip',
  htm: 'text/html',
  html: 'text/html',
  ini: 'text/plain',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  log: 'text/plain',
  md: 'text/markdown',
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webm: 'video/webm',
  webp: 'image/webp',
  xml: 'text/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
};

/** The type of a file's content, lower-case and without parameters: as the header says, else by the name's extension. */
export function contentTypeOf(sent: string | null, name: string): string {
  const said = sent?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (MIME_TYPE.test(said) && said !== UNKNOWN) return said;
  const extension = /\.(\w{1,16})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(BY_EXTENSION, extension) ? (BY_EXTENSION[extension] ?? UNKNOWN) : UNKNOWN;
}
