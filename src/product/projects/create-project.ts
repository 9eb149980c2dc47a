import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { formatDsn } from '#protocol/dsn.ts';
import type { Project } from '#storage/ports/projects.ts';
import { checkProjectSlug } from './check-project-slug.ts';

const NAME_CHARACTERS_MAX = 200;
const PLATFORM_CHARACTERS_MAX = 64;

export type NewProject = {
  slug: string;
  /** The slug when absent or blank. */
  name?: string | undefined;
  /** For example `javascript-nextjs`; null when not chosen. */
  platform: string | null;
};

/** Creates the project with its first client key. Throws Invalid for a bad slug, Conflict for a taken one. */
export async function createProject(
  ctx: Context,
  input: NewProject,
): Promise<{ project: Project; dsn: string }> {
  requireRight(ctx, 'project:write');
  checkProjectSlug(input.slug);
  const { project, key } = await ctx.stores.projects.createProject({
    organizationId: ctx.organization.id,
    slug: input.slug,
    name: checkName(input.name) ?? input.slug,
    platform: checkPlatform(input.platform),
    isInternal: false,
  });
  return { project, dsn: formatDsn(ctx.publicUrl, key.publicKey, project.id) };
}

function checkName(name: string | undefined): string | null {
  const trimmed = name?.trim() ?? '';
  if (trimmed.length > NAME_CHARACTERS_MAX) {
    throw invalid(`A project's name has at most ${NAME_CHARACTERS_MAX} characters`, 'name');
  }
  return trimmed === '' ? null : trimmed;
}

function checkPlatform(platform: string | null): string | null {
  if (platform === null || platform === '') return null;
  if (platform.length > PLATFORM_CHARACTERS_MAX || !/^[a-z0-9][a-z0-9._-]*$/.test(platform)) {
    throw invalid('A platform is a name like "python" or "javascript-nextjs"', 'platform');
  }
  return platform;
}
