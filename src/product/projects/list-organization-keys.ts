import { z } from 'zod';
import type { Context } from '#product/context.ts';
import { decodeCursor, encodeCursor } from '#product/cursor.ts';
import { checkLimit } from '#product/page-limit.ts';
import { requireRight } from '#product/permissions.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import { type ProjectKey, withLimits } from './list-project-keys.ts';

const PLACE = z.object({ keyId: z.int().nonnegative() });

/** Client keys of all projects that whoever asks sees, oldest first, inactive ones included. */
export async function listOrganizationKeys(
  ctx: Context,
  input: { cursor: string | null; limit: number },
): Promise<{ keys: readonly ProjectKey[]; nextCursor: string | null }> {
  requireRight(ctx, 'project:read');
  checkLimit(input.limit);
  const after = decodeCursor(input.cursor, PLACE)?.keyId ?? 0;
  const projectIds = (await listVisibleProjects(ctx)).map(({ id }) => id);
  // One more than the page has: it tells whether there are more.
  const limit = input.limit + 1;
  const found = await ctx.stores.projects.listKeysOf(ctx.organization.id, projectIds, { after, limit });
  const keys = found.slice(0, input.limit);
  const last = keys.at(-1);
  return {
    keys: await withLimits(ctx, keys),
    nextCursor: last && found.length > input.limit ? encodeCursor({ keyId: last.id }) : null,
  };
}
