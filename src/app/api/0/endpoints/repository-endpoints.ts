import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { PAGE, WORDS } from '#app/api/0/parameters.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { readLimit } from '#app/api/0/read-parameters.ts';
import { REPOSITORY } from '#app/api/0/schemas/repository.ts';
import { serializeRepository } from '#app/api/0/serializers/serialize-repository.ts';
import { notFound } from '#lib/errors.ts';
import {
  createRepository,
  deleteRepository,
  getRepository,
  listRepositories,
  updateRepository,
} from '#product/repositories/repositories.ts';
import { REPOSITORY_PROVIDERS } from '#product/repositories/repository.ts';
import { SHARED_OBJECT_RIGHTS } from '#product/shared-objects.ts';
import type { OrganizationParams } from './organization-endpoints.ts';

export type RepositoryParams = OrganizationParams & { repo: string };

const text = z.string().max(4_000);

/** `host` decides how files are linked. */
const REPOSITORY_CHANGE = z.object({
  name: text.optional(),
  host: z.enum(REPOSITORY_PROVIDERS).optional(),
  url: text.nullish(),
  linkTemplate: text.nullish(),
});

const LIST_REPOSITORIES = {
  summary: 'Lists repositories',
  scopes: ['project:read', 'project:releases', 'org:ci'],
  query: { ...PAGE, ...WORDS },
  answer: z.array(REPOSITORY),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/organizations/list-an-organizations-repositories/ */
export const listRepositoriesEndpoint = declare<OrganizationParams>(
  LIST_REPOSITORIES,
  async ({ caller, params, url }) => {
    const ctx = contextOf(caller, params.org);
    const input = { search: url.searchParams.get('query') ?? '', limit: readLimit(url) };
    return answerPage(ctx.publicUrl, url, async (cursor) => {
      const { repositories, nextCursor } = await listRepositories(ctx, { ...input, cursor });
      return { rows: repositories.map(serializeRepository), nextCursor };
    });
  },
);

const CREATE_REPOSITORY = {
  summary: 'Adds a repository',
  scopes: SHARED_OBJECT_RIGHTS,
  body: REPOSITORY_CHANGE,
  answer: REPOSITORY,
  status: 201,
} satisfies Operation;

export const createRepositoryEndpoint = declare<OrganizationParams>(CREATE_REPOSITORY, async (call) => {
  const ctx = contextOf(call.caller, call.params.org);
  const body = await readJsonBody(call.request, REPOSITORY_CHANGE);
  const created = await createRepository(ctx, {
    name: body.name ?? '',
    provider: body.host ?? 'unknown',
    url: body.url ?? null,
    linkTemplate: body.linkTemplate ?? null,
  });
  return { body: serializeRepository(created), status: 201 };
});

const GET_REPOSITORY = {
  summary: 'Answers a repository',
  scopes: ['project:read', 'project:releases', 'org:ci'],
  answer: REPOSITORY,
} satisfies Operation;

export const getRepositoryEndpoint = declare<RepositoryParams>(GET_REPOSITORY, async ({ caller, params }) => {
  const ctx = contextOf(caller, params.org);
  return { body: serializeRepository(await getRepository(ctx, readRepositoryId(params))) };
});

const UPDATE_REPOSITORY = {
  summary: 'Changes a repository',
  scopes: SHARED_OBJECT_RIGHTS,
  alsoScopes: ['project:read'],
  body: REPOSITORY_CHANGE,
  answer: REPOSITORY,
} satisfies Operation;

/** What is not given stays as it is. */
export const updateRepositoryEndpoint = declare<RepositoryParams>(UPDATE_REPOSITORY, async (call) => {
  const ctx = contextOf(call.caller, call.params.org);
  const body = await readJsonBody(call.request, REPOSITORY_CHANGE);
  const known = await getRepository(ctx, readRepositoryId(call.params));
  const updated = await updateRepository(ctx, {
    repositoryId: known.id,
    name: body.name ?? known.name,
    provider: body.host ?? known.provider,
    url: body.url === undefined ? known.url : body.url,
    linkTemplate: body.linkTemplate === undefined ? known.linkTemplate : body.linkTemplate,
  });
  return { body: serializeRepository(updated) };
});

const DELETE_REPOSITORY = {
  summary: 'Removes a repository with its commits',
  scopes: SHARED_OBJECT_RIGHTS,
  answer: null,
} satisfies Operation;

export const deleteRepositoryEndpoint = declare<RepositoryParams>(
  DELETE_REPOSITORY,
  async ({ caller, params }) => {
    await deleteRepository(contextOf(caller, params.org), readRepositoryId(params));
    return { body: null, status: 204 };
  },
);

export function readRepositoryId({ repo }: RepositoryParams): number {
  if (/^\d{1,15}$/.test(repo)) return Number(repo);
  throw notFound(`There is no repository "${repo.slice(0, 40)}": it is named by its number`);
}
