import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { listProjectKeys, type ProjectKey } from '#product/projects/client-keys.ts';

/** The oldest client key of a project that may send. Throws NotFound. */
export async function findActiveKey(ctx: Context, projectSlug: string): Promise<ProjectKey> {
  const key = (await listProjectKeys(ctx, projectSlug)).find((candidate) => candidate.isActive);
  if (!key)
    throw notFound(`The project ${projectSlug} has no active client key: activate one in its settings`);
  return key;
}
