import { z } from 'zod';
import { answerDownload } from '#app/answer-download.ts';
import { listRows, telemetryQuery } from '#app/api/0/endpoints/telemetry/telemetry-lists.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import { CURSOR, DOWNLOAD } from '#app/api/0/query.ts';
import { ATTACHMENT, serializeAttachment } from '#app/api/0/shapes/telemetry.ts';
import { getEventAttachment, listEventAttachments } from '#product/attachments/attachments.ts';
import { openBlob } from '#product/telemetry/telemetry.ts';

export const attachmentOperations: readonly Operation[] = [
  get('projects/[org]/[project]/attachments', {
    summary: "Lists a project's attachments",
    scopes: ['event:read'],
    query: telemetryQuery(['eventId', 'name']),
    answer: z.array(ATTACHMENT),
    isPaged: true,
    handle: listRows('attachments', serializeAttachment),
  }),

  /** By name. */
  get('projects/[org]/[project]/events/[event]/attachments', {
    summary: "Lists an event's attachments",
    scopes: ['event:read'],
    query: { ...CURSOR },
    answer: z.array(ATTACHMENT),
    isPaged: true,
    async handle({ ctx, project, params, page }) {
      const input = { projectSlug: project.slug, eventId: params.event };
      return page(async () => (await listEventAttachments(ctx, input)).map(serializeAttachment));
    },
  }),

  /** What is known of an attachment; with `?download=1` its content. */
  get('projects/[org]/[project]/events/[event]/attachments/[attachment]', {
    summary: 'Retrieves an attachment, or its content with "download"',
    scopes: ['event:read'],
    query: { ...DOWNLOAD },
    answer: ATTACHMENT,
    async handle({ ctx, project, params, query }) {
      const attachment = await getEventAttachment(ctx, {
        projectSlug: project.slug,
        eventId: params.event,
        attachmentId: params.attachment,
      });
      if (!query.isDownload) return serializeAttachment(attachment);
      return answerDownload(await openBlob(ctx, attachment), attachment);
    },
  }),
];
