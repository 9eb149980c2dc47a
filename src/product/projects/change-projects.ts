import type { Project } from '#domain/projects.ts';
import { forbidden, invalid } from '#lib/errors.ts';
import { isSlug } from '#lib/slug.ts';
import { audited, projectTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { certifyDeletion } from '#product/data-requests/certify-deletion.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject, projectNotFound } from '#product/visible-projects.ts';
import type { ProjectChange } from './store/project-store.ts';

/** Changes name, slug or platform; existing short ids stay. Throws Invalid, Conflict for a taken slug. */
export async function updateProject(
  ctx: Context,
  input: { projectSlug: string; change: ProjectChange },
): Promise<Project> {
  requireRight(ctx, 'project:write');
  const before = await getProject(ctx, input.projectSlug);
  if (before.isInternal) throw forbidden('This project belongs to Errata itself: it cannot be changed');
  const change = checkChange(input.change, before);
  return audited(
    ctx,
    async (ctx) => {
      const updated = await ctx.stores.projects.updateProject(ctx.organization.id, before.id, change);
      if (!updated) throw projectNotFound(ctx, input.projectSlug);
      return updated;
    },
    (after) => {
      const changed = FIELDS.filter((field) => before[field] !== after[field]);
      if (changed.length === 0) return null;
      const data = changed.map((field) => [field, { from: before[field], to: after[field] }]);
      return { action: 'project.edit', target: projectTarget(after), data: Object.fromEntries(data) };
    },
  );
}

const FIELDS = ['name', 'slug', 'platform'] as const;

function checkChange({ name, slug, platform }: ProjectChange, before: Project): ProjectChange {
  const change: ProjectChange = {};
  if (name !== undefined) {
    change.name = checkProjectName(name) ?? undefined;
    if (change.name === undefined) throw invalid('Enter a project name', 'name');
  }
  if (slug !== undefined && slug !== before.slug) {
    checkProjectSlug(slug);
    change.slug = slug;
  }
  if (platform !== undefined) change.platform = checkPlatform(platform);
  return change;
}

/** Deletes the project at once, its data within minutes. Throws Invalid unless `confirmation` is its slug. */
export async function deleteProject(
  ctx: Context,
  input: { projectSlug: string; confirmation: string },
): Promise<void> {
  requireRight(ctx, 'project:admin');
  const project = await getProject(ctx, input.projectSlug);
  if (project.isInternal) throw forbidden('This project belongs to Errata itself: it cannot be deleted');
  if (input.confirmation.trim() !== project.slug) {
    throw invalid(`Type the slug ${project.slug} to delete the project`, 'confirmation');
  }
  await audited(
    ctx,
    async (ctx) => {
      const isDeleted = await ctx.stores.projectDeletions.deleteProject(
        ctx.organization.id,
        project.id,
        ctx.now(),
      );
      if (!isDeleted) throw projectNotFound(ctx, project.slug);
      await certifyDeletion(ctx, { subject: 'project', subjectName: project.slug, projectIds: [project.id] });
    },
    () => ({ action: 'project.remove', target: projectTarget(project), data: { name: project.name } }),
  );
}

const NAME_CHARACTERS_MAX = 200;
const PLATFORM_CHARACTERS_MAX = 64;

/** The name without space around it; null when nothing is left. Throws Invalid for a long one. */
export function checkProjectName(name: string | undefined): string | null {
  const trimmed = name?.trim() ?? '';
  if (trimmed.length > NAME_CHARACTERS_MAX) {
    throw invalid(`A project name can have at most ${NAME_CHARACTERS_MAX} characters`, 'name');
  }
  return trimmed === '' ? null : trimmed;
}

/** null for none. Throws Invalid for what is no name of a platform. */
export function checkPlatform(platform: string | null): string | null {
  if (platform === null || platform === '') return null;
  if (platform.length > PLATFORM_CHARACTERS_MAX || !/^[a-z0-9][a-z0-9._-]*$/.test(platform)) {
    throw invalid('Use a platform name such as "python" or "javascript-nextjs"', 'platform');
  }
  return platform;
}

/** Screens beside which a project could not be told apart: children of `/[org]`, and `/[org]/projects/new`. */
export const RESERVED_PROJECT_SLUGS: readonly string[] = [
  'alerts',
  'crons',
  'dashboards',
  'explore',
  'feedback',
  'issues',
  'monitors',
  'new',
  'overview',
  'performance',
  'profiles',
  'projects',
  'releases',
  'replays',
  'settings',
  'stats',
  'traces',
  'uptime',
  'users',
];

/** Throws Invalid when no project may have the slug. */
export function checkProjectSlug(slug: string): void {
  if (!isSlug(slug)) {
    throw invalid(
      'Use up to 50 lowercase letters, digits, "-", and "_" for the slug, starting with a letter or digit, and not only digits',
      'slug',
    );
  }
  if (RESERVED_PROJECT_SLUGS.includes(slug)) {
    throw invalid(`"${slug}" is reserved: choose another slug`, 'slug');
  }
}
