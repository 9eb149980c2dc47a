import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { PAGE, PROJECTS, RANGE } from '#app/api/0/parameters.ts';
import { readLimit, readRange, refuseParameters } from '#app/api/0/read-parameters.ts';
import { TAG_VALUES } from '#app/api/0/schemas/tag-values.ts';
import { invalid } from '#lib/errors.ts';
import { listTagKeys } from '#product/explore/explore-fields.ts';
import { groupExploredEvents } from '#product/explore/explored-events.ts';
import type { Range } from '#product/time-buckets.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import { readOffset, writeOffset } from './offset-cursor.ts';
import { type OrganizationParams, readProjects } from './organization-endpoints.ts';

const RANGE_DEFAULT_MS = 90 * 24 * 3_600_000;
const DATASETS = ['', 'errors', 'events', 'discover'];

const LIST_TAGS = {
  summary: 'Lists tags that errors carry',
  scopes: ['event:read'],
  query: { ...RANGE, ...PROJECTS, dataset: z.string().describe('Which data: errors or logs') },
  answer: z.array(z.object({ key: z.string(), name: z.string() })),
} satisfies Operation;

/** Tags that errors carry. Source: `tags` of an organization, as Sentry's MCP server reads it. */
export const listTagsEndpoint = declare<OrganizationParams>(LIST_TAGS, async ({ caller, params, url }) => {
  refuseParameters(url, ['environment', 'query']);
  const dataset = url.searchParams.get('dataset') ?? '';
  if (!DATASETS.includes(dataset)) throw invalid('Only errors carry tags: use dataset=errors', 'dataset');
  const ctx = contextOf(caller, params.org);
  const projectSlugs = await readProjects(url, ctx);
  const keys = await listTagKeys(ctx, { projectSlugs, range: rangeOf(url, ctx.now()) });
  return { body: keys.map((key) => ({ key, name: key })) };
});

type TagParams = ProjectParams & { key: string };

const LIST_PROJECT_TAG_VALUES = {
  summary: 'Lists the values of a tag in a project, most frequent first',
  scopes: ['event:read'],
  query: { ...PAGE, ...RANGE },
  answer: TAG_VALUES,
  isPaged: true,
} satisfies Operation;

/** Most frequent first. Source: https://docs.sentry.io/api/projects/list-a-tags-values/ */
export const listProjectTagValuesEndpoint = declare<TagParams>(
  LIST_PROJECT_TAG_VALUES,
  async ({ caller, params, url }) => {
    refuseParameters(url, ['environment', 'query', 'sort']);
    const { ctx, project } = await findProject(caller, params);
    const limit = readLimit(url);
    const question = {
      query: '',
      environments: [],
      projectSlugs: [project.slug],
      range: rangeOf(url, ctx.now()),
    };
    return answerPage(ctx.publicUrl, url, async (cursor) => {
      const offset = readOffset(cursor);
      const by = { field: `tags[${params.key}]`, sort: 'events', isDescending: true, limit, offset } as const;
      const page = await groupExploredEvents(ctx, question, by);
      return {
        rows: page.groups
          .filter(({ value }) => value !== '')
          .map(({ value, events, firstSeen, lastSeen }) => ({
            key: params.key,
            name: value,
            value,
            count: events,
            firstSeen: new Date(firstSeen).toISOString(),
            lastSeen: new Date(lastSeen).toISOString(),
          })),
        nextCursor: page.hasMore ? writeOffset(offset + limit) : null,
      };
    });
  },
);

const rangeOf = (url: URL, nowMs: number): Range =>
  readRange(url, nowMs) ?? { fromMs: nowMs - RANGE_DEFAULT_MS, toMs: nowMs + 1 };
