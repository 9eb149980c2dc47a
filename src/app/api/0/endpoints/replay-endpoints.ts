import { answerDownload } from '#app/api/0/answer-download.ts';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { isDownload, readLimit, readRange, refuseParameters } from '#app/api/0/read-parameters.ts';
import { serializeReplay } from '#app/api/0/serializers/serialize-replay.ts';
import { serializeReplaySegment } from '#app/api/0/serializers/serialize-telemetry.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { getReplay } from '#product/replays/get-replay.ts';
import { getReplaySegment } from '#product/replays/get-replay-segment.ts';
import { listReplaySegments } from '#product/replays/list-replay-segments.ts';
import { listReplays } from '#product/replays/list-replays.ts';
import { openBlob } from '#product/telemetry/open-blob.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import { type OrganizationParams, readProjects } from './organization-endpoints.ts';

type ReplayParams = ProjectParams & { replay: string };

/** Source: https://docs.sentry.io/api/replays/list-an-organizations-replays/ */
export const listOrganizationReplaysEndpoint: ApiEndpoint<OrganizationParams> = async (call) => {
  const ctx = contextOf(call.caller, call.params.org);
  const page = await answerReplays(ctx, call.url, await readProjects(call.url, ctx));
  // Here the reference puts the list into an object.
  return { ...page, body: { data: page.body } };
};

/** The same of one project, as a list. */
export const listProjectReplaysEndpoint: ApiEndpoint<ProjectParams> = async ({ caller, params, url }) => {
  const { ctx, project } = await findProject(caller, params);
  return answerReplays(ctx, url, [project.slug]);
};

/** Source: https://docs.sentry.io/api/replays/retrieve-a-replay-instance/ */
export const getOrganizationReplayEndpoint: ApiEndpoint<OrganizationParams & { replay: string }> = async ({
  caller,
  params,
  url,
}) => {
  const ctx = contextOf(caller, params.org);
  const projectSlugs = await readProjects(url, ctx);
  return { body: { data: serializeReplay(await getReplay(ctx, { projectSlugs, replayId: params.replay })) } };
};

export const getProjectReplayEndpoint: ApiEndpoint<ReplayParams> = async ({ caller, params }) => {
  const { ctx, project } = await findProject(caller, params);
  const input = { projectSlugs: [project.slug], replayId: params.replay };
  return { body: { data: serializeReplay(await getReplay(ctx, input)) } };
};

/** Source: https://docs.sentry.io/api/replays/list-recording-segments/ */
export const listReplaySegmentsEndpoint: ApiEndpoint<ReplayParams> = async ({ caller, params, url }) => {
  const { ctx, project } = await findProject(caller, params);
  const input = { projectSlug: project.slug, replayId: params.replay };
  return answerPage(ctx.publicUrl, url, async () => ({
    rows: (await listReplaySegments(ctx, input)).map(serializeReplaySegment),
    nextCursor: null,
  }));
};

/**
 * What is known of a segment; with `?download=1` its recording as it was sent.
 * Source: https://docs.sentry.io/api/replays/retrieve-a-recording-segment/
 */
export const getReplaySegmentEndpoint: ApiEndpoint<ReplayParams & { segment: string }> = async ({
  caller,
  params,
  url,
}) => {
  const { ctx, project } = await findProject(caller, params);
  if (!/^\d{1,10}$/.test(params.segment)) throw invalid('A segment is named by its number', 'segment');
  const segmentId = Number(params.segment);
  const input = { projectSlug: project.slug, replayId: params.replay, segmentId };
  const segment = await getReplaySegment(ctx, input);
  if (!isDownload(url)) return { body: { data: serializeReplaySegment(segment) } };
  return answerDownload(await openBlob(ctx, segment), {
    name: `${segment.replayId}-${segmentId}.${segment.kind === 'video' ? 'mp4' : 'rrweb'}`,
    contentType: '',
  });
};

function answerReplays(ctx: Context, url: URL, projectSlugs: readonly string[]) {
  refuseParameters(url, ['query', 'environment', 'sort']);
  const input = { projectSlugs, limit: readLimit(url), range: readRange(url, ctx.now()) };
  return answerPage(ctx.publicUrl, url, async (cursor) => {
    const { rows, nextCursor } = await listReplays(ctx, { ...input, cursor });
    return { rows: rows.map(serializeReplay), nextCursor };
  });
}
