import type { DigestedAttachment } from '#protocol/telemetry.ts';
import { count, text } from './columns.ts';
import { defineTable } from './telemetry-table.ts';

export const attachments = defineTable<DigestedAttachment>({
  table: 'attachments',
  time: { column: 'received_at', unit: 'ms' },
  rowId: 'attachment_id',
  find: { by: 'attachment_id' },
  filters: { eventId: 'event_id', name: 'name' },
  columns: {
    attachmentId: text('attachment_id'),
    eventId: text('event_id'),
    name: text('name'),
    contentType: text('content_type'),
    type: text('type'),
    bytes: count('bytes'),
    blobKey: text('blob_key'),
  },
});
