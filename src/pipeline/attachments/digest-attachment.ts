import { blobKey } from '#protocol/blob-key.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedAttachment } from '#protocol/telemetry.ts';
import { accepted, type DigestItem, discarded, type ItemContext } from '../item.ts';
import { originOf } from '../telemetry/row-identity.ts';
import { fileNameOf } from './attachment-name.ts';
import { contentTypeOf } from './content-type.ts';

const DEFAULT_TYPE = 'event.attachment';
const TYPE = /^[a-z][a-z0-9_.]{0,63}$/;
/** In place of the content: where it was uploaded to, in a way that is not offered here. */
const PLACEHOLDER_TYPE = 'application/vnd.sentry.attachment-ref';

/** A file that belongs to an event. Its content goes to the blob store as it is. Source: relay-server/src/envelope/attachment.rs. */
export const digestAttachment: DigestItem = (item, context) => {
  if (parseEventId(context.envelopeEventId) === null) return discarded('attachment', 'missing_event_id');
  if (item.contentType?.startsWith(PLACEHOLDER_TYPE)) {
    return discarded('attachment', 'unsupported_item', 'filtered');
  }
  const key = item.blob?.key ?? blobKey(context.receivedAtMs, context.projectId, item.itemId);
  const row = attachmentRow(
    {
      attachmentId: item.itemId,
      name: item.filename,
      contentType: item.contentType,
      type: item.attachmentType,
      bytes: item.blob?.bytes ?? item.payload.length,
      blobKey: key,
    },
    context,
  );
  return accepted('attachment', { attachments: [row] }, 1, item.blob ? [] : [{ key, bytes: item.payload }]);
};

/** What is stored of a file whose content lies in the blob store under `blobKey`. */
export function attachmentRow(
  file: {
    attachmentId: string;
    /** As sent. */
    name: string | null;
    contentType: string | null;
    type: string | null;
    bytes: number;
    blobKey: string;
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
