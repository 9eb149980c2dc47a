import type { Context } from '#product/context.ts';
import { formatDsn } from '#protocol/dsn.ts';
import type { ClientKey } from '#storage/ports/projects.ts';
import { getProject } from './get-project.ts';

/** A client key with the address that SDKs are given. */
export type ProjectKey = ClientKey & { dsn: string };

/** Oldest first, inactive ones included. */
export async function listProjectKeys(ctx: Context, projectSlug: string): Promise<readonly ProjectKey[]> {
  const project = await getProject(ctx, projectSlug);
  const keys = await ctx.stores.projects.listKeys(ctx.organization.id, project.id);
  return keys.map((key) => ({ ...key, dsn: formatDsn(ctx.publicUrl, key.publicKey, project.id) }));
}
