import type { Context } from '#product/context.ts';
import { requireOneOf } from '#product/permissions.ts';
import { ARTIFACT_READ_RIGHTS } from './upload-rights.ts';

/** Bytes of all uploads of the organization, parts that wait for the rest included. */
export async function sumUploads(ctx: Context): Promise<number> {
  requireOneOf(ctx, ARTIFACT_READ_RIGHTS);
  return await ctx.stores.artifacts.sumBytes(ctx.organization.id);
}
