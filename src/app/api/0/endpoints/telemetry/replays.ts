import { z } from 'zod';
import { answerDownload } from '#app/answer-download.ts';
import { del, get, type Operation } from '#app/api/0/operation.ts';
import {
  CURSOR,
  DOWNLOAD,
  ENVIRONMENTS,
  PAGE,
  type Parameter,
  PROJECTS,
  type QueryValues,
  RANGE,
} from '#app/api/0/query.ts';
import type { LoadPage } from '#app/api/0/reply.ts';
import { FALSE, idOf, isoMs, shapeOf } from '#app/api/0/shape.ts';
import { REPLAY_SEGMENT, serializeReplaySegment } from '#app/api/0/shapes/telemetry.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { deleteReplay } from '#product/replays/delete-replay.ts';
import { getReplay, getReplaySegment, listReplaySegments, listReplays } from '#product/replays/replays.ts';
import { openBlob } from '#product/telemetry/telemetry.ts';
import type { ReplayFilter, ReplaySort, ReplaySummary } from '#storage/ports/telemetry.ts';
import { parseReplayQuery } from './replay-query.ts';

const VERSIONED = z.object({ name: z.string().nullable(), version: z.string().nullable() });

/** Source of the fields: https://docs.sentry.io/api/replays/list-an-organizations-replays/ */
export const [REPLAY, serializeReplay] = shapeOf<ReplaySummary>()(
  {
    id: [z.string(), 'replayId'],
    project_id: idOf('projectId'),
    replay_type: [z.string(), 'replayType'],
    started_at: isoMs('startedAt'),
    finished_at: isoMs('finishedAt'),
    duration: [
      z.number(),
      ({ startedAt, finishedAt }) => Math.max(0, Math.round((finishedAt - startedAt) / 1_000)),
    ],
    count_segments: [z.number(), 'segments'],
    count_urls: [z.number(), ({ urls }) => urls.length],
    count_errors: [z.number(), ({ errorIds }) => errorIds.length],
    count_dead_clicks: [z.number(), 'deadClicks'],
    count_rage_clicks: [z.number(), 'rageClicks'],
    urls: z.array(z.string()),
    error_ids: [z.array(z.string()), 'errorIds'],
    trace_ids: [z.array(z.string()), 'traceIds'],
    releases: z.array(z.string()),
    environment: z.string().nullable(),
    platform: z.string(),
    user: [
      z.object({
        id: z.string().nullable(),
        username: z.string().nullable(),
        email: z.string().nullable(),
        ip: z.string().nullable(),
        display_name: z.string().nullable(),
      }),
      ({ userId, userEmail, userUsername, userIp }) => ({
        id: userId,
        username: userUsername,
        email: userEmail,
        ip: userIp,
        display_name: userUsername ?? userEmail ?? userId ?? userIp,
      }),
    ],
    browser: [
      VERSIONED,
      ({ browserName, browserVersion }) => ({ name: browserName, version: browserVersion }),
    ],
    os: [VERSIONED, ({ osName, osVersion }) => ({ name: osName, version: osVersion })],
    is_archived: FALSE,
  },
  'Replay',
);

const SORTS: Readonly<Record<string, ReplaySort>> = {
  '-started_at': 'started',
  '-duration': 'duration',
  '-count_errors': 'errors',
  '-count_rage_clicks': 'rageClicks',
  '-count_dead_clicks': 'deadClicks',
};

const REPLAYS_QUERY = {
  ...PAGE,
  ...RANGE,
  environments: ENVIRONMENTS.environments,
  filter: {
    schema: { query: z.string().describe('Text of a URL or a user, count_errors:>0, duration:>60 …') },
    read: (searchParams) => parseReplayQuery(searchParams.get('query') ?? ''),
  } satisfies Parameter<Omit<ReplayFilter, 'environments'>>,
  /** The largest first: there is no other order. */
  sort: {
    schema: z.string().describe(`${Object.keys(SORTS).join(', ')}; the first if omitted`),
    read(searchParams, name) {
      const sort = SORTS[searchParams.get(name) || '-started_at'];
      if (sort) return sort;
      throw invalid(`${name} must be one of ${Object.keys(SORTS).join(', ')}`, name);
    },
  } satisfies Parameter<ReplaySort>,
};

export const replayOperations: readonly Operation[] = [
  /** Source: https://docs.sentry.io/api/replays/list-an-organizations-replays/ */
  get('organizations/[org]/replays', {
    summary: 'Lists replays',
    scopes: ['event:read'],
    query: { ...REPLAYS_QUERY, ...PROJECTS },
    answer: z.object({ data: z.array(REPLAY) }),
    isPaged: true,
    async handle({ ctx, query, page }) {
      const reply = await page(loadReplays(ctx, query, query.projectSlugs));
      // Here the reference puts the list into an object.
      return reply.wrap((data) => ({ data }));
    },
  }),

  /** The same of one project, as a list. */
  get('projects/[org]/[project]/replays', {
    summary: "Lists a project's replays",
    scopes: ['event:read'],
    query: REPLAYS_QUERY,
    answer: z.array(REPLAY),
    isPaged: true,
    handle: async ({ ctx, project, query, page }) => page(loadReplays(ctx, query, [project.slug])),
  }),

  /** Source: https://docs.sentry.io/api/replays/retrieve-a-replay-instance/ */
  get('organizations/[org]/replays/[replay]', {
    summary: 'Retrieves a replay',
    scopes: ['event:read'],
    query: { ...PROJECTS },
    answer: z.object({ data: REPLAY }),
    async handle({ ctx, params, query }) {
      const { projectSlugs } = query;
      return { data: serializeReplay(await getReplay(ctx, { projectSlugs, replayId: params.replay })) };
    },
  }),

  get('projects/[org]/[project]/replays/[replay]', {
    summary: "Retrieves a project's replay",
    scopes: ['event:read'],
    answer: z.object({ data: REPLAY }),
    async handle({ ctx, project, params }) {
      const input = { projectSlugs: [project.slug], replayId: params.replay };
      return { data: serializeReplay(await getReplay(ctx, input)) };
    },
  }),

  /** Source: https://docs.sentry.io/api/replays/delete-a-replay-instance/ */
  del('projects/[org]/[project]/replays/[replay]', {
    summary: 'Deletes a replay with its recording',
    scopes: ['event:admin'],
    answer: null,
    handle: ({ ctx, project, params }) =>
      deleteReplay(ctx, { projectSlug: project.slug, replayId: params.replay }),
  }),

  /** Source: https://docs.sentry.io/api/replays/list-recording-segments/ */
  get('projects/[org]/[project]/replays/[replay]/recording-segments', {
    summary: "Lists a recording's segments",
    scopes: ['event:read'],
    query: { ...CURSOR },
    answer: z.array(REPLAY_SEGMENT),
    isPaged: true,
    async handle({ ctx, project, params, page }) {
      const input = { projectSlug: project.slug, replayId: params.replay };
      return page(async () => (await listReplaySegments(ctx, input)).map(serializeReplaySegment));
    },
  }),

  /**
   * What is known of a segment; with `?download=1` its recording as it was sent.
   * Source: https://docs.sentry.io/api/replays/retrieve-a-recording-segment/
   */
  get('projects/[org]/[project]/replays/[replay]/recording-segments/[segment]', {
    summary: 'Retrieves a segment, or its recording with "download"',
    scopes: ['event:read'],
    query: { ...DOWNLOAD },
    answer: z.object({ data: REPLAY_SEGMENT }),
    async handle({ ctx, project, params, query }) {
      if (!/^\d{1,10}$/.test(params.segment)) throw invalid('The segment ID must be a number', 'segment');
      const segmentId = Number(params.segment);
      const input = { projectSlug: project.slug, replayId: params.replay, segmentId };
      const segment = await getReplaySegment(ctx, input);
      if (!query.isDownload) return { data: serializeReplaySegment(segment) };
      return answerDownload(await openBlob(ctx, segment), {
        name: `${segment.replayId}-${segmentId}.${segment.kind === 'video' ? 'mp4' : 'rrweb'}`,
        contentType: '',
      });
    },
  }),
];

function loadReplays(
  ctx: Context,
  { limit, range, filter, environments, sort }: QueryValues<typeof REPLAYS_QUERY>,
  projectSlugs: readonly string[],
): LoadPage {
  return async (cursor) => {
    const { rows, nextCursor } = await listReplays(ctx, {
      projectSlugs,
      limit,
      range,
      cursor,
      sort,
      filter: { ...filter, environments },
    });
    return { rows: rows.map(serializeReplay), nextCursor };
  };
}
