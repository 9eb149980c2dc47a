import { z } from 'zod';
import { invalid, notFound } from '#lib/errors.ts';
import { checkWebAddress } from '#lib/web-address.ts';
import { type AuditedChange, audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { requireReleaseRead } from '#product/permissions.ts';
import { requireSharedObjectWrite } from '#product/shared-objects.ts';
import { teamProjectIds } from '#product/visible-projects.ts';
import { REPOSITORY_PROVIDERS, type Repository, type RepositoryProvider } from './repository.ts';
import { originOf } from './repository-links.ts';
import type { RepositoryDraft } from './repository-store.ts';

const SEARCH_CHARACTERS_MAX = 200;

const PLACE = z.object({ name: z.string().max(SEARCH_CHARACTERS_MAX), id: z.number().int().nonnegative() });

/**
 * By name; those whose name contains the search, in either case, without those that only projects use that the actor does
 * not see. Throws Invalid.
 */
export async function listRepositories(
  ctx: Context,
  input: { search: string; limit: number; cursor: string | null },
): Promise<{ repositories: readonly Repository[]; nextCursor: string | null }> {
  requireReleaseRead(ctx);
  checkLimit(input.limit);
  const rows = await ctx.stores.repositories.list(ctx.organization.id, {
    search: input.search.trim().slice(0, SEARCH_CHARACTERS_MAX),
    seenIn: await teamProjectIds(ctx),
    limit: input.limit + 1,
    after: decodeCursor(input.cursor, PLACE),
  });
  const repositories = rows.slice(0, input.limit);
  const last = repositories.at(-1);
  return {
    repositories,
    nextCursor: rows.length > input.limit && last ? encodeCursor({ name: last.name, id: last.id }) : null,
  };
}

/** To choose one of them: as many as an organization has, by name; without those that are hidden, as above. */
export async function listAllRepositories(ctx: Context): Promise<readonly Repository[]> {
  requireReleaseRead(ctx);
  const page = { search: '', seenIn: await teamProjectIds(ctx), limit: REPOSITORIES_MAX, after: null };
  return await ctx.stores.repositories.list(ctx.organization.id, page);
}

/** Throws NotFound, also for one that is hidden, as above. */
export async function getRepository(ctx: Context, repositoryId: number): Promise<Repository> {
  requireReleaseRead(ctx);
  const seenIn = await teamProjectIds(ctx);
  const repository = await ctx.stores.repositories.find(ctx.organization.id, repositoryId, seenIn);
  if (!repository) throw repositoryNotFound(ctx);
  return repository;
}

export const repositoryNotFound = (ctx: Context) =>
  notFound(`Repository not found in ${ctx.organization.slug}: it may have been deleted, reload the list`);

/** Throws Invalid, and Conflict when the name is taken. */
export async function createRepository(ctx: Context, input: RepositoryInput): Promise<Repository> {
  requireSharedObjectWrite(ctx);
  const draft = checkRepository(input);
  const { repositories } = ctx.stores;
  if ((await repositories.count(ctx.organization.id)) >= REPOSITORIES_MAX) {
    throw invalid(
      `${ctx.organization.slug} already has ${REPOSITORIES_MAX} repositories: delete some first`,
      'name',
    );
  }
  return audited(
    ctx,
    (ctx) => ctx.stores.repositories.create(ctx.organization.id, draft, ctx.now()),
    (created) => ({ action: 'repo.add', target: repositoryTarget(created), data: draft }),
  );
}

/** Throws Invalid, NotFound, and Conflict when the name is taken. */
export async function updateRepository(
  ctx: Context,
  input: RepositoryInput & { repositoryId: number },
): Promise<Repository> {
  requireSharedObjectWrite(ctx);
  const draft = checkRepository(input);
  return audited(
    ctx,
    async (ctx) => {
      const updated = await ctx.stores.repositories.update(ctx.organization.id, input.repositoryId, draft);
      if (!updated) throw repositoryNotFound(ctx);
      return updated;
    },
    (updated) => ({ action: 'repo.edit', target: repositoryTarget(updated), data: draft }),
  );
}

/** With its commits and code mappings: releases no longer show what changed in it. Throws NotFound. */
export async function deleteRepository(ctx: Context, repositoryId: number): Promise<void> {
  requireSharedObjectWrite(ctx);
  await audited(
    ctx,
    async (ctx) => {
      const deleted = await ctx.stores.repositories.delete(ctx.organization.id, repositoryId);
      if (!deleted) throw repositoryNotFound(ctx);
      return deleted;
    },
    (deleted) => ({ action: 'repo.remove', target: repositoryTarget(deleted) }),
  );
}

const repositoryTarget = ({ id, name }: Repository): AuditedChange['target'] => ({
  kind: 'repository',
  id,
  name,
});

export const REPOSITORIES_MAX = 1_000;

/** Those that are not there are made, of an unknown provider. The number by name. Throws Invalid past the bound. */
export async function ensureRepositories(
  ctx: Context,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const distinct = [...new Set(names)];
  if (distinct.length === 0) return new Map();
  const { repositories } = ctx.stores;
  const count = await repositories.count(ctx.organization.id);
  if (count + distinct.length > REPOSITORIES_MAX) {
    const known = await Promise.all(
      distinct.slice(0, REPOSITORIES_MAX).map((name) => repositories.findByName(ctx.organization.id, name)),
    );
    if (known.length < distinct.length || known.includes(null)) {
      throw invalid(
        `${ctx.organization.slug} can have at most ${REPOSITORIES_MAX} repositories: delete some first`,
        'repository',
      );
    }
  }
  return repositories.ensure(ctx.organization.id, distinct, ctx.now());
}

const TEMPLATE_CHARACTERS_MAX = 1_000;

export type RepositoryInput = {
  name: string;
  provider: RepositoryProvider;
  /** Empty or null for the usual place of the provider. */
  url: string | null;
  /** For `other`: with {commit}, {path} and {line}. */
  linkTemplate: string | null;
};

/** Throws Invalid, naming the field. */
export function checkRepository(input: RepositoryInput): RepositoryDraft {
  const name = checkRepositoryName(input.name.trim());
  const { provider } = input;
  if (!REPOSITORY_PROVIDERS.includes(provider)) {
    throw invalid(
      `"${provider}" is not a supported provider: choose one of ${REPOSITORY_PROVIDERS.join(', ')}`,
      'provider',
    );
  }
  const url = input.url?.trim() ? checkWebAddress(input.url, 'url').replace(/\/+$/, '') : null;
  if (url !== null && /[?#]/.test(url)) {
    throw invalid('A repository URL cannot contain "?" or "#"', 'url');
  }
  if (provider === 'gitea' && url === null) {
    throw invalid('Enter the repository URL: Gitea has no default host', 'url');
  }
  return { name, provider, url, linkTemplate: checkTemplate(provider, input.linkTemplate?.trim() ?? '') };
}

function checkTemplate(provider: RepositoryProvider, template: string): string | null {
  if (provider !== 'other') return null;
  if (template.length > TEMPLATE_CHARACTERS_MAX || originOf(template) === null) {
    throw invalid(
      `Enter a link of at most ${TEMPLATE_CHARACTERS_MAX} characters starting with https://, such as https://code.example.com/web/{path}?at={commit}#{line}`,
      'linkTemplate',
    );
  }
  if (!template.includes('{path}')) {
    throw invalid('The link must include {path} as a placeholder for the file path', 'linkTemplate');
  }
  return template;
}

const REPOSITORY_CHARACTERS_MAX = 200;

/** Throws Invalid. */
export function checkRepositoryName(name: string): string {
  const fits = name !== '' && name.length <= REPOSITORY_CHARACTERS_MAX;
  if (fits && name.isWellFormed() && !/\p{Cc}/u.test(name)) return name;
  throw invalid(
    `A repository name must have 1 to ${REPOSITORY_CHARACTERS_MAX} characters, such as "owner/name"`,
    'repository',
  );
}
