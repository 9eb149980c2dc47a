import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { serializeKey } from '#app/api/0/serializers/serialize-key.ts';
import { notFound } from '#lib/errors.ts';
import { createProjectKey } from '#product/projects/create-project-key.ts';
import { listProjectKeys } from '#product/projects/list-project-keys.ts';
import { updateProjectKey } from '#product/projects/update-project-key.ts';
import { findProject, type ProjectParams } from './find-project.ts';

type KeyParams = ProjectParams & { key: string };

/** At most `count` errors in each `window` of seconds; null for no limit. */
const RATE_LIMIT = z.object({ count: z.number(), window: z.number() }).nullable();

const NEW_KEY = z.object({ name: z.string().optional(), rateLimit: RATE_LIMIT.optional() });

const KEY_UPDATE = z.object({
  name: z.string().optional(),
  isActive: z.boolean().optional(),
  rateLimit: RATE_LIMIT.optional(),
});

const toRateLimit = (limit: z.infer<typeof RATE_LIMIT>) =>
  limit && { count: limit.count, windowSeconds: limit.window };

/** Source: https://docs.sentry.io/api/projects/list-a-projects-client-keys/ */
export const listKeysEndpoint: ApiEndpoint<ProjectParams> = async ({ caller, params, url }) => {
  const { ctx, project } = await findProject(caller, params);
  return answerPage(ctx.publicUrl, url, async () => ({
    rows: (await listProjectKeys(ctx, project.slug)).map(serializeKey),
    nextCursor: null,
  }));
};

/** Answers 201. Source: https://docs.sentry.io/api/projects/create-a-new-client-key/ */
export const createKeyEndpoint: ApiEndpoint<ProjectParams> = async ({ request, caller, params }) => {
  const { ctx, project } = await findProject(caller, params);
  const { name = 'Key', rateLimit } = await readJsonBody(request, NEW_KEY);
  const key = await createProjectKey(ctx, {
    projectSlug: project.slug,
    label: name,
    rateLimit: rateLimit ? toRateLimit(rateLimit) : null,
  });
  return { body: serializeKey(key), status: 201 };
};

/** Source: https://docs.sentry.io/api/projects/retrieve-a-client-key/ */
export const getKeyEndpoint: ApiEndpoint<KeyParams> = async ({ caller, params }) => {
  const { ctx, project } = await findProject(caller, params);
  const keys = await listProjectKeys(ctx, project.slug);
  const key = keys.find(({ publicKey }) => publicKey === params.key);
  if (!key) throw notFound(`The project ${project.slug} has no client key ${params.key.slice(0, 40)}`);
  return { body: serializeKey(key) };
};

/** Changes what the body names. Source: https://docs.sentry.io/api/projects/update-a-client-key/ */
export const updateKeyEndpoint: ApiEndpoint<KeyParams> = async ({ request, caller, params }) => {
  const { ctx, project } = await findProject(caller, params);
  const { name, isActive, rateLimit } = await readJsonBody(request, KEY_UPDATE);
  const key = await updateProjectKey(ctx, {
    projectSlug: project.slug,
    key: params.key,
    change: {
      ...(name !== undefined && { label: name }),
      ...(isActive !== undefined && { isActive }),
      ...(rateLimit !== undefined && { rateLimit: toRateLimit(rateLimit) }),
    },
  });
  return { body: serializeKey(key) };
};
