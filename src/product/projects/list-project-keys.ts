import type { Context } from '#product/context.ts';
import { KEY_LIMIT_KIND, kindOfCategories } from '#product/quotas/limit-kinds.ts';
import { formatDsn } from '#protocol/dsn.ts';
import type { StoredQuota } from '#storage/ports/ingest-settings.ts';
import type { ClientKey } from '#storage/ports/projects.ts';
import { getProject } from './get-project.ts';

/** At most `count` errors in each window of so many seconds. */
export type KeyRateLimit = { count: number; windowSeconds: number };

/** A client key with the address that SDKs are given. `rateLimit` is null when it has none. */
export type ProjectKey = ClientKey & { dsn: string; rateLimit: KeyRateLimit | null };

/** Oldest first, inactive ones included. */
export async function listProjectKeys(ctx: Context, projectSlug: string): Promise<readonly ProjectKey[]> {
  const project = await getProject(ctx, projectSlug);
  return withLimits(ctx, await ctx.stores.projects.listKeys(ctx.organization.id, project.id));
}

/** The keys with their addresses and limits, in their order. */
export async function withLimits(ctx: Context, keys: readonly ClientKey[]): Promise<readonly ProjectKey[]> {
  const quotas = await ctx.stores.ingestSettings.listQuotas(ctx.organization.id);
  return keys.map((key) => ({
    ...key,
    dsn: formatDsn(ctx.publicUrl, key.publicKey, key.projectId),
    rateLimit: rateLimitOf(key.id, quotas),
  }));
}

function rateLimitOf(keyId: number, quotas: readonly StoredQuota[]): KeyRateLimit | null {
  const found = quotas.find(
    ({ owner, categories }) =>
      owner.scope === 'key' && owner.keyId === keyId && kindOfCategories(categories) === KEY_LIMIT_KIND,
  );
  return found ? { count: found.limit, windowSeconds: found.windowSeconds } : null;
}
