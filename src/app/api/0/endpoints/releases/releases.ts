import { z } from 'zod';
import {
  NEW_RELEASE,
  RELEASE_BYTES_MAX,
  RELEASE_CHANGE,
  toReleaseContent,
} from '#app/api/0/endpoints/releases/release-body.ts';
import { del, get, type Operation, post, put } from '#app/api/0/operation.ts';
import { nameRelease, selectProject } from '#app/api/0/path-scope.ts';
import {
  deferred,
  ENVIRONMENTS,
  PAGE,
  type Parameter,
  PROJECTS,
  period,
  RANGE,
  text,
  WORDS,
} from '#app/api/0/query.ts';
import { Reply } from '#app/api/0/reply.ts';
import { RELEASE, RELEASE_META, serializeRelease, serializeReleaseMeta } from '#app/api/0/shapes/release.ts';
import { invalid } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import {
  RELEASE_RANKS,
  RELEASE_SORTS,
  RELEASE_STATUSES,
  type ReleaseRank,
  type ReleaseSort,
  type ReleaseStatus,
} from '#product/releases/release.ts';
import {
  findPreviousWithCommits,
  getReleaseDescription,
  getReleaseMeta,
  listReleaseDescriptions,
} from '#product/releases/release-descriptions.ts';
import { deleteRelease, saveRelease, updateRelease } from '#product/releases/save-release.ts';

/** null for releases of both. */
const STATUS: Parameter<ReleaseStatus | null> = {
  schema: z.string().describe('open (default) or archived; empty for both'),
  read(searchParams, name) {
    const text = searchParams.get(name) ?? 'open';
    if (text === '') return null;
    const status = RELEASE_STATUSES.find((candidate) => candidate === text);
    if (status) return status;
    throw invalid(`${name} "${text.slice(0, 40)}" is not known: choose open or archived`, name);
  },
};

/** `semver` is what Sentry calls the order of versions. */
const SORT: Parameter<ReleaseSort | ReleaseRank> = {
  schema: z.string().describe(`date (default), semver, ${RELEASE_RANKS.join(', ')}`),
  read(searchParams, name) {
    const text = searchParams.get(name) || 'date';
    const sort = [...RELEASE_SORTS, ...RELEASE_RANKS].find(
      (candidate) => candidate === (text === 'semver' ? 'version' : text),
    );
    if (sort) return sort;
    throw invalid(
      `${name} "${text.slice(0, 40)}" is not supported: choose date, semver, ${RELEASE_RANKS.join(', ')}`,
      name,
    );
  },
};

const isAsked = (flag: string | null): boolean => flag !== null && !['', '0', 'false'].includes(flag);

/** How the sessions of releases are asked for. */
const HEALTH = {
  health: text('1 to add how the sessions of each project went'),
  summaryStatsPeriod: period('How far back these are counted, 24h if omitted'),
};

const healthMsOf = (query: { health: string | null; summaryStatsPeriod: number | null }): number | null =>
  isAsked(query.health) ? (query.summaryStatsPeriod ?? DAY_MS) : null;

export const releaseOperations: readonly Operation[] = [
  /** Source: https://docs.sentry.io/api/releases/list-an-organizations-releases/ */
  get(['organizations/[org]/releases', 'projects/[org]/[project]/releases'], {
    summary: 'Lists releases',
    scopes: ['project:read', 'project:releases', 'org:ci'],
    query: {
      ...PAGE,
      ...RANGE,
      ...ENVIRONMENTS,
      projectSlugs: deferred(PROJECTS.projectSlugs),
      ...WORDS,
      status: STATUS,
      sort: SORT,
      ...HEALTH,
    },
    answer: z.array(RELEASE),
    isPaged: true,
    async handle({ ctx, project, query, page }) {
      const projectSlugs = project === null ? await query.projectSlugs() : [project.slug];
      const input = { ...query, projectSlugs, healthMs: healthMsOf(query) };
      return page(async (cursor) => {
        const { releases, nextCursor } = await listReleaseDescriptions(ctx, { ...input, cursor });
        return { rows: releases.map(serializeRelease), nextCursor };
      });
    },
  }),

  /** 208 when there was one already, of the same projects. Builds make theirs as often as they run. */
  post(['organizations/[org]/releases', 'projects/[org]/[project]/releases'], {
    summary: 'Creates a release, or adds to an existing one',
    scopes: ['project:releases', 'org:ci', 'project:write'],
    body: NEW_RELEASE,
    bodyBytesMax: RELEASE_BYTES_MAX,
    answer: RELEASE,
    status: 201,
    otherStatus: 208,
    async handle({ ctx, project, body }) {
      const named = project === null ? new Set((body.projects ?? []).map(String)) : [project.slug];
      const found = await Promise.all([...named].map((name) => selectProject(ctx, name)));
      const { release, isNew } = await saveRelease(ctx, {
        ...toReleaseContent(body),
        version: body.version,
        projectSlugs: found.map(({ slug }) => slug),
      });
      return new Reply(serializeRelease(release), { status: isNew ? 201 : 208 });
    },
  }),

  get(['organizations/[org]/releases/[version]', 'projects/[org]/[project]/releases/[version]'], {
    summary: 'Retrieves a release',
    scopes: ['project:read', 'project:releases', 'org:ci'],
    query: HEALTH,
    answer: RELEASE,
    async handle({ ctx, project, params, query }) {
      const named = nameRelease(params, project);
      return serializeRelease(await getReleaseDescription(ctx, { ...named, healthMs: healthMsOf(query) }));
    },
  }),

  put(['organizations/[org]/releases/[version]', 'projects/[org]/[project]/releases/[version]'], {
    summary: 'Updates a release',
    scopes: ['project:releases', 'org:ci', 'project:write'],
    body: RELEASE_CHANGE,
    bodyBytesMax: RELEASE_BYTES_MAX,
    answer: RELEASE,
    async handle({ ctx, project, params, body }) {
      const named = nameRelease(params, project);
      return serializeRelease(await updateRelease(ctx, { ...named, ...toReleaseContent(body) }));
    },
  }),

  /** Source: https://docs.sentry.io/api/releases/delete-an-organizations-release/ */
  del(['organizations/[org]/releases/[version]', 'projects/[org]/[project]/releases/[version]'], {
    summary: 'Deletes a release without issues or sessions',
    scopes: ['project:releases', 'project:write'],
    answer: null,
    async handle({ ctx, project, params }) {
      const named = nameRelease(params, project);
      await deleteRelease(ctx, named);
    },
  }),

  get('organizations/[org]/releases/[version]/meta', {
    summary: "Retrieves a release's statistics",
    scopes: ['project:read', 'project:releases', 'org:ci'],
    answer: RELEASE_META,
    async handle({ ctx, project, params }) {
      const named = nameRelease(params, project);
      return serializeReleaseMeta(await getReleaseMeta(ctx, named));
    },
  }),

  /** Where sentry-cli goes on with its commits; an empty object when there is none. */
  get('organizations/[org]/releases/[version]/previous-with-commits', {
    summary: 'Retrieves the previous release with commits',
    scopes: ['project:read', 'project:releases', 'org:ci'],
    answer: z.union([RELEASE, z.strictObject({})]),
    async handle({ ctx, project, params }) {
      const named = nameRelease(params, project);
      const previous = await findPreviousWithCommits(ctx, named);
      return previous ? serializeRelease(previous) : {};
    },
  }),
];
