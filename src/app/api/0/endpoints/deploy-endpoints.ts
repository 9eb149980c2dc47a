import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { PAGE } from '#app/api/0/parameters.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { readLimit } from '#app/api/0/read-parameters.ts';
import { DEPLOY } from '#app/api/0/schemas/deploy.ts';
import { serializeDeploy } from '#app/api/0/serializers/serialize-deploy.ts';
import { createDeploy, listDeploys } from '#product/releases/deploys.ts';
import { selectProject } from './find-project.ts';
import { parseMoment } from './read-release-body.ts';
import { type ReleaseParams, releaseScope } from './release-scope.ts';

const TEXT_CHARACTERS_MAX = 4_000;
const PROJECTS_MAX = 200;

const text = z.string().max(TEXT_CHARACTERS_MAX);

const NEW_DEPLOY = z.object({
  environment: text,
  name: text.nullish(),
  url: text.nullish(),
  dateStarted: text.nullish(),
  dateFinished: text.nullish(),
  projects: z
    .array(z.union([text, z.number()]))
    .max(PROJECTS_MAX)
    .nullish(),
});

const LIST_DEPLOYS = {
  summary: 'Lists the deploys of a release',
  scopes: ['project:read', 'project:releases', 'org:ci'],
  query: { ...PAGE },
  answer: z.array(DEPLOY),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/releases/list-a-releases-deploys/ */
export const listDeploysEndpoint = declare<ReleaseParams>(LIST_DEPLOYS, async ({ caller, params, url }) => {
  const { ctx, named } = await releaseScope(caller, params);
  const limit = readLimit(url);
  return answerPage(ctx.publicUrl, url, async (cursor) => {
    const { deploys, nextCursor } = await listDeploys(ctx, { ...named, limit, cursor });
    return { rows: deploys.map(serializeDeploy), nextCursor };
  });
});

const CREATE_DEPLOY = {
  summary: 'Adds a deploy of a release',
  scopes: ['project:releases', 'org:ci', 'project:write'],
  body: NEW_DEPLOY,
  answer: DEPLOY,
  status: 201,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/releases/create-a-deploy/ */
export const createDeployEndpoint = declare<ReleaseParams>(
  CREATE_DEPLOY,
  async ({ caller, params, request }) => {
    const { ctx, named } = await releaseScope(caller, params);
    const body = await readJsonBody(request, NEW_DEPLOY);
    const asked = await Promise.all((body.projects ?? []).map((name) => selectProject(ctx, String(name))));
    const deploy = await createDeploy(ctx, {
      version: named.version,
      projectSlugs: asked.length > 0 ? asked.map(({ slug }) => slug) : named.projectSlugs,
      deploy: {
        environment: body.environment,
        name: body.name ?? null,
        url: body.url ?? null,
        startedAt: body.dateStarted ? parseMoment(body.dateStarted, 'dateStarted') : null,
        finishedAt: body.dateFinished ? parseMoment(body.dateFinished, 'dateFinished') : null,
      },
    });
    return { body: serializeDeploy(deploy), status: 201 };
  },
);
