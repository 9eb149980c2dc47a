import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import type { KeyUse } from '#storage/ports/digest.ts';
import { getProject } from './get-project.ts';

/** How far back the use of keys is looked for. */
export const KEY_USE_DAYS = 30;

/** When each key of the project was used last, by the key's number; keys that nobody used for a month are left out. */
export async function listKeyUse(ctx: Context, projectSlug: string): Promise<ReadonlyMap<number, KeyUse>> {
  const project = await getProject(ctx, projectSlug);
  const sinceMs = ctx.now() - KEY_USE_DAYS * DAY_MS;
  const uses = await ctx.stores.outcomes.listKeyUse(ctx.organization.id, project.id, sinceMs);
  return new Map(uses.map((use) => [use.keyId, use]));
}
