import { z } from 'zod';
import { parseMoment } from '#app/api/0/endpoints/releases/release-body.ts';
import { get, type Operation, post } from '#app/api/0/operation.ts';
import { nameRelease, selectProject } from '#app/api/0/path-scope.ts';
import { PAGE } from '#app/api/0/query.ts';
import { each } from '#app/api/0/shape.ts';
import { DEPLOY, serializeDeploy } from '#app/api/0/shapes/deploy.ts';
import { createDeploy, listDeploys } from '#product/releases/deploys.ts';

const TEXT_CHARACTERS_MAX = 4_000;
const PROJECTS_MAX = 200;
const TEXT = z.string().max(TEXT_CHARACTERS_MAX);

const NEW_DEPLOY = z.object({
  environment: TEXT,
  ...each(TEXT.nullish(), 'name', 'url', 'dateStarted', 'dateFinished'),
  projects: z
    .array(z.union([TEXT, z.number()]))
    .max(PROJECTS_MAX)
    .nullish(),
});

export const deployOperations: readonly Operation[] = [
  /** Source: https://docs.sentry.io/api/releases/list-a-releases-deploys/ */
  get('organizations/[org]/releases/[version]/deploys', {
    summary: "Lists a release's deploys",
    scopes: ['project:read', 'project:releases', 'org:ci'],
    query: { ...PAGE },
    answer: z.array(DEPLOY),
    isPaged: true,
    async handle({ ctx, project, params, query, page }) {
      const named = nameRelease(params, project);
      const { limit } = query;
      return page(async (cursor) => {
        const { deploys, nextCursor } = await listDeploys(ctx, { ...named, limit, cursor });
        return { rows: deploys.map(serializeDeploy), nextCursor };
      });
    },
  }),

  /** Source: https://docs.sentry.io/api/releases/create-a-deploy/ */
  post('organizations/[org]/releases/[version]/deploys', {
    summary: 'Creates a deploy for a release',
    scopes: ['project:releases', 'org:ci', 'project:write'],
    body: NEW_DEPLOY,
    answer: DEPLOY,
    status: 201,
    async handle({ ctx, project, params, body }) {
      const named = nameRelease(params, project);
      const requested = await Promise.all(
        (body.projects ?? []).map((name) => selectProject(ctx, String(name))),
      );
      const deploy = await createDeploy(ctx, {
        version: named.version,
        projectSlugs: requested.length > 0 ? requested.map(({ slug }) => slug) : named.projectSlugs,
        deploy: {
          environment: body.environment,
          name: body.name ?? null,
          url: body.url ?? null,
          startedAt: body.dateStarted ? parseMoment(body.dateStarted, 'dateStarted') : null,
          finishedAt: body.dateFinished ? parseMoment(body.dateFinished, 'dateFinished') : null,
        },
      });
      return serializeDeploy(deploy);
    },
  }),
];
