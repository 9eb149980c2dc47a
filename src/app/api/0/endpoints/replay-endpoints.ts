import { z } from 'zod';
import { answerDownload } from '#app/api/0/answer-download.ts';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { CURSOR, DOWNLOAD, PAGE, PROJECTS, RANGE } from '#app/api/0/parameters.ts';
import { isDownload, readLimit, readRange, refuseParameters } from '#app/api/0/read-parameters.ts';
import { REPLAY } from '#app/api/0/schemas/replay.ts';
import { REPLAY_SEGMENT } from '#app/api/0/schemas/telemetry.ts';
import { serializeReplay } from '#app/api/0/serializers/serialize-replay.ts';
import { serializeReplaySegment } from '#app/api/0/serializers/serialize-telemetry.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { getReplay, getReplaySegment, listReplaySegments, listReplays } from '#product/replays/replays.ts';
import { openBlob } from '#product/telemetry/telemetry.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import { type OrganizationParams, readProjects } from './organization-endpoints.ts';

type ReplayParams = ProjectParams & { replay: string };

const LIST_ORGANIZATION_REPLAYS = {
  summary: 'Lists replays',
  scopes: ['event:read'],
  query: { ...PAGE, ...RANGE, ...PROJECTS, sort: z.string().describe('-started_at, the newest first') },
  answer: z.object({ data: z.array(REPLAY) }),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/replays/list-an-organizations-replays/ */
export const listOrganizationReplaysEndpoint = declare<OrganizationParams>(
  LIST_ORGANIZATION_REPLAYS,
  async (call) => {
    const ctx = contextOf(call.caller, call.params.org);
    const page = await answerReplays(ctx, call.url, await readProjects(call.url, ctx));
    // Here the reference puts the list into an object.
    return { ...page, body: { data: page.body } };
  },
);

const LIST_PROJECT_REPLAYS = {
  summary: 'Lists replays of a project',
  scopes: ['event:read'],
  query: { ...PAGE, ...RANGE, sort: z.string().describe('-started_at, the newest first') },
  answer: z.array(REPLAY),
  isPaged: true,
} satisfies Operation;

/** The same of one project, as a list. */
export const listProjectReplaysEndpoint = declare<ProjectParams>(
  LIST_PROJECT_REPLAYS,
  async ({ caller, params, url }) => {
    const { ctx, project } = await findProject(caller, params);
    return answerReplays(ctx, url, [project.slug]);
  },
);

const GET_ORGANIZATION_REPLAY = {
  summary: 'Answers a replay',
  scopes: ['event:read'],
  query: { ...PROJECTS },
  answer: z.object({ data: REPLAY }),
} satisfies Operation;

/** Source: https://docs.sentry.io/api/replays/retrieve-a-replay-instance/ */
export const getOrganizationReplayEndpoint = declare<OrganizationParams & { replay: string }>(
  GET_ORGANIZATION_REPLAY,
  async ({ caller, params, url }) => {
    const ctx = contextOf(caller, params.org);
    const projectSlugs = await readProjects(url, ctx);
    return {
      body: { data: serializeReplay(await getReplay(ctx, { projectSlugs, replayId: params.replay })) },
    };
  },
);

const GET_PROJECT_REPLAY = {
  summary: 'Answers a replay of a project',
  scopes: ['event:read'],
  answer: z.object({ data: REPLAY }),
} satisfies Operation;

export const getProjectReplayEndpoint = declare<ReplayParams>(
  GET_PROJECT_REPLAY,
  async ({ caller, params }) => {
    const { ctx, project } = await findProject(caller, params);
    const input = { projectSlugs: [project.slug], replayId: params.replay };
    return { body: { data: serializeReplay(await getReplay(ctx, input)) } };
  },
);

const LIST_REPLAY_SEGMENTS = {
  summary: 'Lists the segments of a recording',
  scopes: ['event:read'],
  query: { ...CURSOR },
  answer: z.array(REPLAY_SEGMENT),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/replays/list-recording-segments/ */
export const listReplaySegmentsEndpoint = declare<ReplayParams>(
  LIST_REPLAY_SEGMENTS,
  async ({ caller, params, url }) => {
    const { ctx, project } = await findProject(caller, params);
    const input = { projectSlug: project.slug, replayId: params.replay };
    return answerPage(ctx.publicUrl, url, async () => ({
      rows: (await listReplaySegments(ctx, input)).map(serializeReplaySegment),
      nextCursor: null,
    }));
  },
);

const GET_REPLAY_SEGMENT = {
  summary: 'Answers a segment, or its recording with "download"',
  scopes: ['event:read'],
  query: { ...DOWNLOAD },
  answer: z.object({ data: REPLAY_SEGMENT }),
} satisfies Operation;

/**
 * What is known of a segment; with `?download=1` its recording as it was sent.
 * Source: https://docs.sentry.io/api/replays/retrieve-a-recording-segment/
 */
export const getReplaySegmentEndpoint = declare<ReplayParams & { segment: string }>(
  GET_REPLAY_SEGMENT,
  async ({ caller, params, url }) => {
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
  },
);

function answerReplays(ctx: Context, url: URL, projectSlugs: readonly string[]) {
  refuseParameters(url, ['query', 'environment']);
  if (!['', '-started_at'].includes(url.searchParams.get('sort') ?? '')) {
    throw invalid('sort must be -started_at, the newest first', 'sort');
  }
  const input = { projectSlugs, limit: readLimit(url), range: readRange(url, ctx.now()) };
  return answerPage(ctx.publicUrl, url, async (cursor) => {
    const { rows, nextCursor } = await listReplays(ctx, { ...input, cursor });
    return { rows: rows.map(serializeReplay), nextCursor };
  });
}
