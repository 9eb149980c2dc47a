import { parseEventId } from '#protocol/event-id.ts';
import { isRefused, requireOpenKey } from './authenticate.ts';
import type { CollectedItem } from './collected.ts';
import { type IngestAnswer, type IngestDeps, type IngestRequest, Refusal } from './ingest-request.ts';
import { AttachmentParts, MultipartReader } from './multipart.ts';
import { spoolRequest } from './spool-request.ts';

/**
 * Accepts `POST /api/<project>/events/<event>/attachments/`: files for an event that came by another request.
 * Source: relay-server/src/endpoints/attachments.rs.
 */
export async function acceptAttachments(
  deps: IngestDeps,
  request: IngestRequest,
  eventIdText: string,
): Promise<IngestAnswer> {
  const key = await requireOpenKey(deps, request, 'attachment');
  if (isRefused(key)) return key;
  return spoolRequest(deps, request, key, 'attachment', async (reading) => {
    const eventId = parseEventId(eventIdText);
    if (eventId === null) {
      throw new Refusal(
        400,
        `"${eventIdText.slice(0, 64)}" is not a valid event ID: it must be 32 hex digits`,
        'invalid_event_id',
      );
    }
    const parts = new AttachmentParts(reading, key.projectId);
    const items: CollectedItem[] = [];
    const multipart = new MultipartReader(request.message.headers['content-type'] ?? '', {
      async onFile({ filename, contentType, stream }) {
        const { body, write } = parts.open();
        items.push({ type: 'attachment', body, facts: { ...(filename && { filename }), contentType } });
        for await (const part of stream) write(part as Buffer);
      },
      onField() {},
    });
    await multipart.read(reading);
    if (items.length === 0) {
      throw new Refusal(
        400,
        'The request has no files: send each file as a part with a file name',
        'no_data',
      );
    }
    return { eventId, sentAtMs: null, items, outcomes: [] };
  });
}
