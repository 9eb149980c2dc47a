import { invalid } from '#lib/errors.ts';
import { audited, keyTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { formatDsn } from '#protocol/dsn.ts';
import { checkKeyLabel } from './check-key-label.ts';
import { getProject } from './get-project.ts';
import type { KeyRateLimit, ProjectKey } from './list-project-keys.ts';
import { checkKeyRateLimit, setKeyRateLimit } from './set-key-rate-limit.ts';

const KEYS_PER_PROJECT_MAX = 50;

/** Another address to send to, active at once. Throws Invalid for a label without letters, or when there are 50. */
export async function createProjectKey(
  ctx: Context,
  input: { projectSlug: string; label: string; rateLimit?: KeyRateLimit | null },
): Promise<ProjectKey> {
  requireRight(ctx, 'project:write');
  const project = await getProject(ctx, input.projectSlug);
  const label = checkKeyLabel(input.label);
  const { rateLimit = null } = input;
  if (rateLimit) checkKeyRateLimit(rateLimit);
  const existing = await ctx.stores.projects.listKeys(ctx.organization.id, project.id);
  if (existing.length >= KEYS_PER_PROJECT_MAX) {
    throw invalid(`A project has at most ${KEYS_PER_PROJECT_MAX} keys: use one that is there`, 'label');
  }
  const key = await audited(
    ctx,
    async (ctx) => {
      const created = await ctx.stores.projects.createKey(ctx.organization.id, project.id, label);
      if (rateLimit) await setKeyRateLimit(ctx, created.id, rateLimit);
      return created;
    },
    (created) => ({
      action: 'projectkey.create',
      target: keyTarget(created),
      data: { project: project.slug, label, rateLimit },
    }),
  );
  return { ...key, dsn: formatDsn(ctx.publicUrl, key.publicKey, project.id), rateLimit };
}
