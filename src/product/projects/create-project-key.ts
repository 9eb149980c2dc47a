import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { formatDsn } from '#protocol/dsn.ts';
import { getProject } from './get-project.ts';
import type { ProjectKey } from './list-project-keys.ts';

const LABEL_CHARACTERS_MAX = 64;
const KEYS_PER_PROJECT_MAX = 50;

/** Another address to send to, active at once. Throws Invalid for a label without letters, or when there are 50. */
export async function createProjectKey(
  ctx: Context,
  input: { projectSlug: string; label: string },
): Promise<ProjectKey> {
  requireRight(ctx, 'project:write');
  const project = await getProject(ctx, input.projectSlug);
  const label = input.label.trim();
  if (label === '' || label.length > LABEL_CHARACTERS_MAX) {
    throw invalid(
      `Give the key a label of 1 to ${LABEL_CHARACTERS_MAX} characters, for example the app that uses it`,
      'label',
    );
  }
  const existing = await ctx.stores.projects.listKeys(ctx.organization.id, project.id);
  if (existing.length >= KEYS_PER_PROJECT_MAX) {
    throw invalid(`A project has at most ${KEYS_PER_PROJECT_MAX} keys: use one that is there`, 'label');
  }
  const key = await ctx.stores.projects.createKey(ctx.organization.id, project.id, label);
  return { ...key, dsn: formatDsn(ctx.publicUrl, key.publicKey, project.id) };
}
