import { z } from 'zod';
import { del, get, type Operation, post, put } from '#app/api/0/operation.ts';
import { readPathNumber } from '#app/api/0/path-scope.ts';
import { PAGE, WORDS } from '#app/api/0/query.ts';
import { REPOSITORY, serializeRepository } from '#app/api/0/shapes/repository.ts';
import {
  createRepository,
  deleteRepository,
  getRepository,
  listRepositories,
  updateRepository,
} from '#product/repositories/repositories.ts';
import { REPOSITORY_PROVIDERS } from '#product/repositories/repository.ts';
import { SHARED_OBJECT_RIGHTS } from '#product/shared-objects.ts';

const TEXT = z.string().max(4_000);

/** `host` decides how files are linked. */
const REPOSITORY_CHANGE = z.object({
  name: TEXT.optional(),
  host: z.enum(REPOSITORY_PROVIDERS).optional(),
  url: TEXT.nullish(),
  linkTemplate: TEXT.nullish(),
});

export const repositoryOperations: readonly Operation[] = [
  /** Source: https://docs.sentry.io/api/organizations/list-an-organizations-repositories/ */
  get('organizations/[org]/repos', {
    summary: 'Lists repositories',
    scopes: ['project:read', 'project:releases', 'org:ci'],
    query: { ...PAGE, ...WORDS },
    answer: z.array(REPOSITORY),
    isPaged: true,
    async handle({ ctx, query, page }) {
      const input = { search: query.search, limit: query.limit };
      return page(async (cursor) => {
        const { repositories, nextCursor } = await listRepositories(ctx, { ...input, cursor });
        return { rows: repositories.map(serializeRepository), nextCursor };
      });
    },
  }),

  post('organizations/[org]/repos', {
    summary: 'Adds a repository',
    scopes: SHARED_OBJECT_RIGHTS,
    body: REPOSITORY_CHANGE,
    answer: REPOSITORY,
    status: 201,
    async handle({ ctx, body }) {
      const created = await createRepository(ctx, {
        name: body.name ?? '',
        provider: body.host ?? 'unknown',
        url: body.url ?? null,
        linkTemplate: body.linkTemplate ?? null,
      });
      return serializeRepository(created);
    },
  }),

  get('organizations/[org]/repos/[repo]', {
    summary: 'Retrieves a repository',
    scopes: ['project:read', 'project:releases', 'org:ci'],
    answer: REPOSITORY,
    handle: async ({ ctx, params }) =>
      serializeRepository(await getRepository(ctx, readRepositoryId(params))),
  }),

  /** What is not given stays as it is. */
  put('organizations/[org]/repos/[repo]', {
    summary: 'Updates a repository',
    scopes: SHARED_OBJECT_RIGHTS,
    alsoScopes: ['project:read'],
    body: REPOSITORY_CHANGE,
    answer: REPOSITORY,
    async handle({ ctx, params, body }) {
      const known = await getRepository(ctx, readRepositoryId(params));
      const updated = await updateRepository(ctx, {
        repositoryId: known.id,
        name: body.name ?? known.name,
        provider: body.host ?? known.provider,
        url: body.url === undefined ? known.url : body.url,
        linkTemplate: body.linkTemplate === undefined ? known.linkTemplate : body.linkTemplate,
      });
      return serializeRepository(updated);
    },
  }),

  del('organizations/[org]/repos/[repo]', {
    summary: 'Removes a repository and its commits',
    scopes: SHARED_OBJECT_RIGHTS,
    answer: null,
    handle: async ({ ctx, params }) => deleteRepository(ctx, readRepositoryId(params)),
  }),
];

export const readRepositoryId = ({ repo }: { repo: string }): number =>
  readPathNumber(repo, `Repository "${repo.slice(0, 40)}" not found: use its ID`);
