import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { CURSOR, PAGE } from '#app/api/0/parameters.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { readLimit, refuseParameters } from '#app/api/0/read-parameters.ts';
import { KEY } from '#app/api/0/schemas/key.ts';
import { serializeKey } from '#app/api/0/serializers/serialize-key.ts';
import { invalid, notFound } from '#lib/errors.ts';
import {
  createProjectKey,
  deleteProjectKey,
  listOrganizationKeys,
  listProjectKeys,
  type ProjectKey,
  updateProjectKey,
} from '#product/projects/client-keys.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import type { OrganizationParams } from './organization-endpoints.ts';

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

const LIST_ORGANIZATION_KEYS = {
  summary: 'Lists the client keys of all projects',
  scopes: ['project:read'],
  query: { ...PAGE, status: z.string().describe('active or inactive; both when absent') },
  answer: z.array(KEY),
  isPaged: true,
} satisfies Operation;

/** Of all projects. Source: https://docs.sentry.io/api/organizations/list-an-organizations-client-keys/ */
export const listOrganizationKeysEndpoint = declare<OrganizationParams>(
  LIST_ORGANIZATION_KEYS,
  async ({ caller, params, url }) => {
    refuseParameters(url, ['team']);
    const ctx = contextOf(caller, params.org);
    const limit = readLimit(url);
    return answerPage(ctx.publicUrl, url, async (cursor) => {
      const { keys, nextCursor } = await listOrganizationKeys(ctx, { cursor, limit });
      return { rows: keys.filter((key) => isOfStatus(url, key)).map(serializeKey), nextCursor };
    });
  },
);

/** `status=active` and `status=inactive` keep some keys. */
function isOfStatus(url: URL, { isActive }: Pick<ProjectKey, 'isActive'>): boolean {
  const status = url.searchParams.get('status');
  if (status === null || status === '') return true;
  if (status !== 'active' && status !== 'inactive') {
    throw invalid('status is either "active" or "inactive"', 'status');
  }
  return isActive === (status === 'active');
}

const LIST_KEYS = {
  summary: 'Lists the client keys of a project',
  scopes: ['project:read'],
  query: { ...CURSOR, status: z.string().describe('active or inactive; both when absent') },
  answer: z.array(KEY),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/projects/list-a-projects-client-keys/ */
export const listKeysEndpoint = declare<ProjectParams>(LIST_KEYS, async ({ caller, params, url }) => {
  const { ctx, project } = await findProject(caller, params);
  return answerPage(ctx.publicUrl, url, async () => ({
    rows: (await listProjectKeys(ctx, project.slug)).filter((key) => isOfStatus(url, key)).map(serializeKey),
    nextCursor: null,
  }));
});

const CREATE_KEY = {
  summary: 'Creates a client key',
  scopes: ['project:write'],
  body: NEW_KEY,
  answer: KEY,
  status: 201,
} satisfies Operation;

/** Answers 201. Source: https://docs.sentry.io/api/projects/create-a-new-client-key/ */
export const createKeyEndpoint = declare<ProjectParams>(CREATE_KEY, async ({ request, caller, params }) => {
  const { ctx, project } = await findProject(caller, params);
  const { name = 'Key', rateLimit } = await readJsonBody(request, NEW_KEY);
  const key = await createProjectKey(ctx, {
    projectSlug: project.slug,
    label: name,
    rateLimit: rateLimit ? toRateLimit(rateLimit) : null,
  });
  return { body: serializeKey(key), status: 201 };
});

const GET_KEY = {
  summary: 'Answers a client key',
  scopes: ['project:read'],
  answer: KEY,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/projects/retrieve-a-client-key/ */
export const getKeyEndpoint = declare<KeyParams>(GET_KEY, async ({ caller, params }) => {
  const { ctx, project } = await findProject(caller, params);
  const keys = await listProjectKeys(ctx, project.slug);
  const key = keys.find(({ publicKey }) => publicKey === params.key);
  if (!key) throw notFound(`The project ${project.slug} has no client key ${params.key.slice(0, 40)}`);
  return { body: serializeKey(key) };
});

const UPDATE_KEY = {
  summary: 'Changes a client key',
  scopes: ['project:write'],
  body: KEY_UPDATE,
  answer: KEY,
} satisfies Operation;

/** Changes what the body names. Source: https://docs.sentry.io/api/projects/update-a-client-key/ */
export const updateKeyEndpoint = declare<KeyParams>(UPDATE_KEY, async ({ request, caller, params }) => {
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
});

const DELETE_KEY = {
  summary: 'Deletes a client key',
  scopes: ['project:write'],
  answer: null,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/projects/delete-a-client-key/ */
export const deleteKeyEndpoint = declare<KeyParams>(DELETE_KEY, async ({ caller, params }) => {
  const { ctx, project } = await findProject(caller, params);
  await deleteProjectKey(ctx, { projectSlug: project.slug, publicKey: params.key });
  return { body: null, status: 204 };
});
