import { notFound } from 'next/navigation';
import type { Project } from '#domain/projects.ts';
import { isErrataError } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { listProjectKeys, type ProjectKey } from '#product/projects/client-keys.ts';
import { getProject } from '#product/visible-projects.ts';

/** A project with its keys; the not-found page when there is none that the user may see. */
export async function loadProject(
  ctx: Context,
  slug: string,
): Promise<{ project: Project; keys: readonly ProjectKey[]; dsn: string | null }> {
  try {
    const [project, keys] = await Promise.all([getProject(ctx, slug), listProjectKeys(ctx, slug)]);
    return { project, keys, dsn: keys.find((key) => key.isActive)?.dsn ?? null };
  } catch (error) {
    if (isErrataError(error) && error.code === 'not_found') notFound();
    throw error;
  }
}
