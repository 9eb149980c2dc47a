import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';

const TAG_KEYS_MAX = 1_000;

/** Keys of the tags that the newest events of the projects carry, every visible one for none, the most frequent first. */
export async function listTagKeys(
  ctx: Context,
  input: { projectSlugs: readonly string[]; range: Range },
): Promise<readonly string[]> {
  requireRight(ctx, 'event:read');
  checkRange(input.range);
  const projects = await selectProjects(ctx, input.projectSlugs);
  const scope = eventScope(
    ctx,
    projects.map((project) => project.id),
  );
  return ctx.stores.events.listTagKeys(scope, input.range, TAG_KEYS_MAX);
}
