import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import type { ApiAnswer } from '#app/api/0/handle-api-request.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { PAGE, PROJECTS, WORDS } from '#app/api/0/parameters.ts';
import { readLimit, refuseParameters } from '#app/api/0/read-parameters.ts';
import { RELEASE, RELEASE_META } from '#app/api/0/schemas/release.ts';
import { serializeRelease, serializeReleaseMeta } from '#app/api/0/serializers/serialize-release.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { RELEASE_SORTS, RELEASE_STATUSES } from '#product/releases/release.ts';
import {
  findPreviousWithCommits,
  getReleaseDescription,
  getReleaseMeta,
  listReleaseDescriptions,
} from '#product/releases/release-descriptions.ts';
import { deleteRelease, saveRelease, updateRelease } from '#product/releases/save-release.ts';
import { selectProject } from './find-project.ts';
import { type OrganizationParams, readProjects } from './organization-endpoints.ts';
import { NEW_RELEASE, RELEASE_CHANGE, readNewReleaseBody, readReleaseBody } from './read-release-body.ts';
import type { ReleaseParams } from './release-scope.ts';
import { releaseScope } from './release-scope.ts';

/** Below `organizations/[org]` and below `projects/[org]/[project]`. */
type ListParams = OrganizationParams & { project?: string };

const LIST_RELEASES = {
  summary: 'Lists releases',
  scopes: ['project:read', 'project:releases', 'org:ci'],
  query: {
    ...PAGE,
    ...PROJECTS,
    ...WORDS,
    status: z.string().describe('open, the default, or archived; empty for both'),
    sort: z.string().describe('date, the default, or semver'),
  },
  answer: z.array(RELEASE),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/releases/list-an-organizations-releases/ */
export const listReleasesEndpoint = declare<ListParams>(LIST_RELEASES, async ({ caller, params, url }) => {
  refuseParameters(url, ['environment', 'statsPeriod', 'start', 'end']);
  const ctx = contextOf(caller, params.org);
  const projectSlugs = await readScope(ctx, params, url);
  const input = {
    search: url.searchParams.get('query') ?? '',
    projectSlugs,
    status: readStatus(url),
    sort: readReleaseSort(url),
    limit: readLimit(url),
  };
  return answerPage(ctx.publicUrl, url, async (cursor) => {
    const { releases, nextCursor } = await listReleaseDescriptions(ctx, { ...input, cursor });
    return { rows: releases.map(serializeRelease), nextCursor };
  });
});

const CREATE_RELEASE = {
  summary: 'Makes a release, or adds to the one that there is',
  scopes: ['project:releases', 'org:ci', 'project:write'],
  body: NEW_RELEASE,
  answer: RELEASE,
  status: 201,
  otherStatus: 208,
} satisfies Operation;

/** 208 when there was one already, of the same projects. Builds make theirs as often as they run. */
export const createReleaseEndpoint = declare<ListParams>(
  CREATE_RELEASE,
  async ({ caller, params, request }) => {
    const ctx = contextOf(caller, params.org);
    const { projects, ...content } = await readNewReleaseBody(request);
    const named = params.project === undefined ? projects : [params.project];
    const found = await Promise.all([...new Set(named)].map((name) => selectProject(ctx, name)));
    const { release, isNew } = await saveRelease(ctx, {
      ...content,
      projectSlugs: found.map(({ slug }) => slug),
    });
    return { body: serializeRelease(release), status: isNew ? 201 : 208 };
  },
);

const GET_RELEASE = {
  summary: 'Answers a release',
  scopes: ['project:read', 'project:releases', 'org:ci'],
  answer: RELEASE,
} satisfies Operation;

export const getReleaseEndpoint = declare<ReleaseParams>(GET_RELEASE, async ({ caller, params }) => {
  const { ctx, named } = await releaseScope(caller, params);
  return { body: serializeRelease(await getReleaseDescription(ctx, named)) };
});

const UPDATE_RELEASE = {
  summary: 'Changes a release',
  scopes: ['project:releases', 'org:ci', 'project:write'],
  body: RELEASE_CHANGE,
  answer: RELEASE,
} satisfies Operation;

export const updateReleaseEndpoint = declare<ReleaseParams>(
  UPDATE_RELEASE,
  async ({ caller, params, request }) => {
    const { ctx, named } = await releaseScope(caller, params);
    const content = await readReleaseBody(request);
    return { body: serializeRelease(await updateRelease(ctx, { ...named, ...content })) };
  },
);

const DELETE_RELEASE = {
  summary: 'Removes a release that nothing belongs to',
  scopes: ['project:releases', 'org:ci', 'project:write'],
  answer: null,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/releases/delete-an-organizations-release/ */
export const deleteReleaseEndpoint = declare<ReleaseParams>(DELETE_RELEASE, async ({ caller, params }) => {
  const { ctx, named } = await releaseScope(caller, params);
  await deleteRelease(ctx, named);
  return { body: null, status: 204 };
});

const GET_RELEASE_META = {
  summary: 'Answers the figures of a release',
  scopes: ['project:read', 'project:releases', 'org:ci'],
  answer: RELEASE_META,
} satisfies Operation;

export const releaseMetaEndpoint = declare<ReleaseParams>(GET_RELEASE_META, async ({ caller, params }) => {
  const { ctx, named } = await releaseScope(caller, params);
  return { body: serializeReleaseMeta(await getReleaseMeta(ctx, named)) };
});

const PREVIOUS_RELEASE = {
  summary: 'Answers the release before that has commits',
  scopes: ['project:read', 'project:releases', 'org:ci'],
  answer: z.union([RELEASE, z.strictObject({})]),
} satisfies Operation;

/** Where sentry-cli goes on with its commits; an empty object when there is none. */
export const previousReleaseEndpoint = declare<ReleaseParams>(
  PREVIOUS_RELEASE,
  async (call): Promise<ApiAnswer> => {
    const { ctx, named } = await releaseScope(call.caller, call.params);
    const previous = await findPreviousWithCommits(ctx, named);
    return { body: previous ? serializeRelease(previous) : {} };
  },
);

const readScope = async (ctx: Context, params: ListParams, url: URL): Promise<readonly string[]> =>
  params.project === undefined ? readProjects(url, ctx) : [(await selectProject(ctx, params.project)).slug];

function readStatus(url: URL) {
  const asked = url.searchParams.get('status') ?? 'open';
  if (asked === '') return null;
  const status = RELEASE_STATUSES.find((candidate) => candidate === asked);
  if (!status) {
    throw invalid(`status "${asked.slice(0, 40)}" is not known: choose open or archived`, 'status');
  }
  return status;
}

/** `semver` is what Sentry calls the order of versions. */
function readReleaseSort(url: URL) {
  const asked = url.searchParams.get('sort') || 'date';
  const sort = RELEASE_SORTS.find((candidate) => candidate === (asked === 'semver' ? 'version' : asked));
  if (!sort) throw invalid(`sort "${asked.slice(0, 40)}" is not supported: choose date or semver`, 'sort');
  return sort;
}
