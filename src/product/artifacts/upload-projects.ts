import type { Project } from '#domain/projects.ts';
import { forbidden, invalid, notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { listVisibleProjects, selectProjects } from '#product/visible-projects.ts';
import type { Scope } from '#protocol/scopes.ts';

/** The named projects (slugs or ids), else those of the release. Throws NotFound, and Invalid when neither is given. */
export async function selectUploadProjects(
  ctx: Context,
  input: { projectSlugs: readonly string[]; version: string | null },
): Promise<readonly Project[]> {
  if (input.projectSlugs.length > 0) return await selectProjects(ctx, await toSlugs(ctx, input.projectSlugs));
  if (input.version === null) throw invalid('Specify the project or release of the upload', 'projects');
  const visible = await listVisibleProjects(ctx);
  const release = await ctx.stores.releases.findRelease(
    ctx.organization.id,
    visible.map(({ id }) => id),
    input.version,
  );
  const ofRelease = new Set(release?.projects.map(({ projectId }) => projectId));
  const projects = visible.filter(({ id }) => ofRelease.has(id));
  if (projects.length === 0) {
    throw notFound(
      `Release "${input.version.slice(0, 100)}" does not exist in any project: create it first, or specify the project of the upload`,
    );
  }
  return projects;
}

/** Builds may name a project by its number. */
async function toSlugs(ctx: Context, names: readonly string[]): Promise<readonly string[]> {
  if (!names.some((name) => /^\d+$/.test(name))) return names;
  const visible = await listVisibleProjects(ctx);
  return names.map((name) => visible.find(({ id }) => String(id) === name)?.slug ?? name);
}

/** Throws Forbidden when an upload serves projects, too, that whoever asks may not see: it would be gone for them. */
export async function requireAllVisible(ctx: Context, bundleId: number): Promise<void> {
  const visible = (await listVisibleProjects(ctx)).map(({ id }) => id);
  const bundle = await ctx.stores.artifacts.findBundleById(ctx.organization.id, visible, bundleId);
  if (bundle?.projectIds.some((id) => !visible.includes(id))) throw servesOthers();
}

export const servesOthers = () =>
  forbidden('Other teams’ projects also use this upload: ask an organization manager');

/** Any of them: what a build has, and people who may change the project. */
export const UPLOAD_RIGHTS: readonly [Scope, ...Scope[]] = ['project:releases', 'org:ci', 'project:write'];

/** Any of them, to see what was uploaded. */
export const ARTIFACT_READ_RIGHTS: readonly [Scope, ...Scope[]] = [
  'project:read',
  'event:read',
  'project:releases',
  'org:ci',
];
