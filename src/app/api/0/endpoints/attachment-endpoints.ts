import { answerDownload } from '#app/api/0/answer-download.ts';
import { answerPage } from '#app/api/0/answer-page.ts';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { isDownload } from '#app/api/0/read-parameters.ts';
import { serializeAttachment } from '#app/api/0/serializers/serialize-telemetry.ts';
import { getEventAttachment } from '#product/attachments/get-event-attachment.ts';
import { listEventAttachments } from '#product/attachments/list-event-attachments.ts';
import { openBlob } from '#product/telemetry/open-blob.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import { telemetryListEndpoint } from './telemetry-list-endpoint.ts';

export const listAttachmentsEndpoint = telemetryListEndpoint(
  'attachments',
  ['eventId', 'name'],
  serializeAttachment,
);

type EventParams = ProjectParams & { event: string };

/** By name. */
export const listEventAttachmentsEndpoint: ApiEndpoint<EventParams> = async ({ caller, params, url }) => {
  const { ctx, project } = await findProject(caller, params);
  const input = { projectSlug: project.slug, eventId: params.event };
  return answerPage(ctx.publicUrl, url, async () => ({
    rows: (await listEventAttachments(ctx, input)).map(serializeAttachment),
    nextCursor: null,
  }));
};

/** What is known of an attachment; with `?download=1` its content. */
export const getEventAttachmentEndpoint: ApiEndpoint<EventParams & { attachment: string }> = async ({
  caller,
  params,
  url,
}) => {
  const { ctx, project } = await findProject(caller, params);
  const attachment = await getEventAttachment(ctx, {
    projectSlug: project.slug,
    eventId: params.event,
    attachmentId: params.attachment,
  });
  if (!isDownload(url)) return { body: serializeAttachment(attachment) };
  return answerDownload(await openBlob(ctx, attachment), attachment);
};
