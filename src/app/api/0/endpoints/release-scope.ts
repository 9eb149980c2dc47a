import { type ApiCaller, contextOf } from '#app/api/0/api-caller.ts';
import type { Context } from '#product/context.ts';
import type { NamedRelease } from '#product/releases/get-release.ts';
import { selectProject } from './find-project.ts';
import { readVersion, type VersionParams } from './release-path.ts';

/** Parts of a path that name a release: in the organization, or in one of its projects. */
export type ReleaseParams = VersionParams & { org: string; project?: string };

/** Throws NotFound for an organization or a project that the caller does not see. */
export async function releaseScope(
  caller: ApiCaller,
  params: ReleaseParams,
): Promise<{ ctx: Context; named: NamedRelease }> {
  const ctx = contextOf(caller, params.org);
  const projectSlugs = params.project === undefined ? [] : [(await selectProject(ctx, params.project)).slug];
  return { ctx, named: { version: readVersion(params), projectSlugs } };
}
