import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { readLimit } from '#app/api/0/read-parameters.ts';
import { serializeArchive } from '#app/api/0/serializers/serialize-artifact.ts';
import { invalid } from '#lib/errors.ts';
import { deleteReleaseArtifacts } from '#product/artifacts/delete-release-artifacts.ts';
import { listBundles } from '#product/artifacts/list-bundles.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import type { OrganizationParams } from './organization-endpoints.ts';

/** Uploads that belong to releases, newest first. Source: src/sentry/api/endpoints/project_artifact_*.py of Sentry. */
export const listProjectArchivesEndpoint: ApiEndpoint<ProjectParams> = async ({ caller, params, url }) => {
  const { ctx, project } = await findProject(caller, params);
  const input = {
    projectSlugs: [project.slug],
    version: url.searchParams.get('name'),
    search: url.searchParams.get('query') ?? '',
    limit: readLimit(url),
  };
  return answerPage(ctx.publicUrl, url, async (cursor) => {
    const { bundles, nextCursor } = await listBundles(ctx, { ...input, cursor });
    return { rows: bundles.map(serializeArchive), nextCursor };
  });
};

/** All that was uploaded to the release that `?name=` names, for the project. */
export const deleteProjectArchiveEndpoint: ApiEndpoint<ProjectParams> = async ({ caller, params, url }) => {
  const { ctx, project } = await findProject(caller, params);
  await deleteReleaseArtifacts(ctx, { version: readName(url), projectSlugs: [project.slug] });
  return { body: null, status: 204 };
};

/** The same for all projects of the organization. */
export const deleteOrganizationArchiveEndpoint: ApiEndpoint<OrganizationParams> = async (call) => {
  const ctx = contextOf(call.caller, call.params.org);
  await deleteReleaseArtifacts(ctx, { version: readName(call.url), projectSlugs: [] });
  return { body: null, status: 204 };
};

function readName(url: URL): string {
  const name = url.searchParams.get('name') ?? '';
  if (name === '') throw invalid('Name the release whose files are to go: add ?name=<version>', 'name');
  return name;
}
