import { invalid } from '#lib/errors.ts';
import { type AuditedChange, audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireSharedObjectWrite } from '#product/shared-objects.ts';
import type { Repository } from '#storage/ports/repositories.ts';
import { checkRepository, type RepositoryInput } from './check-repository.ts';
import { REPOSITORIES_MAX } from './ensure-repositories.ts';
import { repositoryNotFound } from './list-repositories.ts';

/** Throws Invalid, and Conflict when the name is taken. */
export async function createRepository(ctx: Context, input: RepositoryInput): Promise<Repository> {
  requireSharedObjectWrite(ctx);
  const draft = checkRepository(input);
  const { repositories } = ctx.stores;
  if ((await repositories.count(ctx.organization.id)) >= REPOSITORIES_MAX) {
    throw invalid(`${ctx.organization.slug} has ${REPOSITORIES_MAX} repositories: delete some first`, 'name');
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

/** With its commits and code mappings: releases tell no longer what changed in it. Throws NotFound. */
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
