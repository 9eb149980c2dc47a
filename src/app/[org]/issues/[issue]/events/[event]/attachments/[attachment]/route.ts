import type { Readable } from 'node:stream';
import {
  mediaType,
  previewKind,
  TEXT_PREVIEW_BYTES,
} from '#app/[org]/issues/[issue]/event/attachment-list.tsx';
import { answerDownload } from '#app/answer-download.ts';
import { refuse } from '#app/with-session.ts';
import { visibleText } from '#lib/visible-text.ts';
import { getEventAttachment } from '#product/attachments/attachments.ts';
import { openBlob } from '#product/telemetry/telemetry.ts';
import { type EventParams, textOf, withEvent } from '../../with-event.ts';

/** The content of an attachment to save; with `?show=1` a picture as it is, or the beginning of a text. */
export const GET = withEvent<EventParams & { attachment: string }>(
  async ({ ctx, issue, event, params, query }) => {
    const attachment = await getEventAttachment(ctx, {
      projectSlug: issue.projectSlug,
      eventId: event.eventId,
      attachmentId: params.attachment,
    });
    const blob = await openBlob(ctx, attachment);
    if (query.get('show') === null) return answerDownload(blob, attachment);
    const kind = previewKind(attachment);
    if (kind === 'text') return textOf(visibleText(await readBeginning(blob.content)));
    if (kind === null) {
      blob.content.destroy();
      return refuse(415, 'This file type can’t be previewed. Download it instead.');
    }
    const answer = answerDownload(blob, attachment);
    answer.headers.set('content-type', mediaType(attachment.contentType));
    answer.headers.set('content-disposition', 'inline');
    answer.headers.set('cache-control', 'private, max-age=3600');
    return answer;
  },
);

async function readBeginning(content: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of content) {
    parts.push(Buffer.from(part as Uint8Array));
    bytes += parts.at(-1)?.length ?? 0;
    if (bytes >= TEXT_PREVIEW_BYTES) break;
  }
  const text = Buffer.concat(parts).subarray(0, TEXT_PREVIEW_BYTES).toString('utf8');
  return bytes > TEXT_PREVIEW_BYTES ? `${text}\n…` : text;
}
