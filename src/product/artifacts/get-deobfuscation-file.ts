import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireOneOf } from '#product/permissions.ts';
import { projectNotFound, selectProjects } from '#product/visible-projects.ts';
import type { DeobfuscationFile } from '#storage/ports/artifacts.ts';
import { ARTIFACT_READ_RIGHTS } from './upload-rights.ts';

/** Throws NotFound. */
export async function getDeobfuscationFile(
  ctx: Context,
  input: { projectSlug: string; fileId: number },
): Promise<DeobfuscationFile> {
  requireOneOf(ctx, ARTIFACT_READ_RIGHTS);
  const [project] = await selectProjects(ctx, [input.projectSlug]);
  if (!project) throw projectNotFound(ctx, input.projectSlug);
  const { artifacts } = ctx.stores;
  const file = await artifacts.findDeobfuscationFileById(ctx.organization.id, project.id, input.fileId);
  if (!file) throw notFound(`The project ${project.slug} has no such mapping: list them`);
  return file;
}
