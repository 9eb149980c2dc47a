import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { PAGE, WORDS } from '#app/api/0/parameters.ts';
import { readLimit } from '#app/api/0/read-parameters.ts';
import { ARCHIVE } from '#app/api/0/schemas/artifact.ts';
import { serializeArchive } from '#app/api/0/serializers/serialize-artifact.ts';
import { invalid } from '#lib/errors.ts';
import { listBundles } from '#product/artifacts/bundles.ts';
import { deleteReleaseArtifacts } from '#product/artifacts/delete-release-artifacts.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import type { OrganizationParams } from './organization-endpoints.ts';

const LIST_PROJECT_ARCHIVES = {
  summary: 'Lists uploads of a project with their releases',
  scopes: ['project:read', 'event:read', 'project:releases', 'org:ci'],
  query: {
    ...PAGE,
    name: z.string().describe('The version of a release'),
    ...WORDS,
  },
  answer: z.array(ARCHIVE),
  isPaged: true,
} satisfies Operation;

/** Uploads that belong to releases, newest first. Source: src/sentry/api/endpoints/project_artifact_*.py of Sentry. */
export const listProjectArchivesEndpoint = declare<ProjectParams>(
  LIST_PROJECT_ARCHIVES,
  async ({ caller, params, url }) => {
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
  },
);

const DELETE_PROJECT_ARCHIVE = {
  summary: 'Deletes what was uploaded for a release to a project',
  scopes: ['project:write'],
  query: { name: z.string().describe('The version of a release') },
  answer: null,
} satisfies Operation;

/** All that was uploaded to the release that `?name=` names, for the project. */
export const deleteProjectArchiveEndpoint = declare<ProjectParams>(
  DELETE_PROJECT_ARCHIVE,
  async ({ caller, params, url }) => {
    const { ctx, project } = await findProject(caller, params);
    await deleteReleaseArtifacts(ctx, { version: readName(url), projectSlugs: [project.slug] });
    return { body: null, status: 204 };
  },
);

const DELETE_ORGANIZATION_ARCHIVE = {
  summary: 'Deletes what was uploaded for a release',
  scopes: ['project:write'],
  query: { name: z.string().describe('The version of a release') },
  answer: null,
} satisfies Operation;

/** The same for all projects of the organization. */
export const deleteOrganizationArchiveEndpoint = declare<OrganizationParams>(
  DELETE_ORGANIZATION_ARCHIVE,
  async (call) => {
    const ctx = contextOf(call.caller, call.params.org);
    await deleteReleaseArtifacts(ctx, { version: readName(call.url), projectSlugs: [] });
    return { body: null, status: 204 };
  },
);

function readName(url: URL): string {
  const name = url.searchParams.get('name') ?? '';
  if (name === '') throw invalid('Name the release whose files are to go: add ?name=<version>', 'name');
  return name;
}
