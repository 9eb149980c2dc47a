import { z } from 'zod';
import { answerDownload } from '#app/api/0/answer-download.ts';
import { answerPage } from '#app/api/0/answer-page.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { CURSOR, DOWNLOAD, keptBy, PAGE, RANGE } from '#app/api/0/parameters.ts';
import { isDownload } from '#app/api/0/read-parameters.ts';
import { ATTACHMENT } from '#app/api/0/schemas/telemetry.ts';
import { serializeAttachment } from '#app/api/0/serializers/serialize-telemetry.ts';
import { getEventAttachment, listEventAttachments } from '#product/attachments/attachments.ts';
import { openBlob } from '#product/telemetry/telemetry.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import { telemetryListEndpoint } from './telemetry-list-endpoint.ts';

const LIST_ATTACHMENTS = {
  summary: 'Lists the attachments of a project',
  scopes: ['event:read'],
  query: { ...keptBy(['eventId', 'name']), ...PAGE, ...RANGE },
  answer: z.array(ATTACHMENT),
  isPaged: true,
} satisfies Operation;

export const listAttachmentsEndpoint = declare(
  LIST_ATTACHMENTS,
  telemetryListEndpoint('attachments', ['eventId', 'name'], serializeAttachment),
);

type EventParams = ProjectParams & { event: string };

const LIST_EVENT_ATTACHMENTS = {
  summary: 'Lists the attachments of an event',
  scopes: ['event:read'],
  query: { ...CURSOR },
  answer: z.array(ATTACHMENT),
  isPaged: true,
} satisfies Operation;

/** By name. */
export const listEventAttachmentsEndpoint = declare<EventParams>(
  LIST_EVENT_ATTACHMENTS,
  async ({ caller, params, url }) => {
    const { ctx, project } = await findProject(caller, params);
    const input = { projectSlug: project.slug, eventId: params.event };
    return answerPage(ctx.publicUrl, url, async () => ({
      rows: (await listEventAttachments(ctx, input)).map(serializeAttachment),
      nextCursor: null,
    }));
  },
);

const GET_EVENT_ATTACHMENT = {
  summary: 'Answers an attachment, or its content with "download"',
  scopes: ['event:read'],
  query: { ...DOWNLOAD },
  answer: ATTACHMENT,
} satisfies Operation;

/** What is known of an attachment; with `?download=1` its content. */
export const getEventAttachmentEndpoint = declare<EventParams & { attachment: string }>(
  GET_EVENT_ATTACHMENT,
  async ({ caller, params, url }) => {
    const { ctx, project } = await findProject(caller, params);
    const attachment = await getEventAttachment(ctx, {
      projectSlug: project.slug,
      eventId: params.event,
      attachmentId: params.attachment,
    });
    if (!isDownload(url)) return { body: serializeAttachment(attachment) };
    return answerDownload(await openBlob(ctx, attachment), attachment);
  },
);
