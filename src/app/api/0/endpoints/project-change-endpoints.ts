import { z } from 'zod';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { serializeProject } from '#app/api/0/serializers/serialize-project.ts';
import { deleteProject } from '#product/projects/delete-project.ts';
import { updateProject } from '#product/projects/update-project.ts';
import { findProject, type ProjectParams } from './find-project.ts';

const CHANGE = z.object({
  name: z.string().optional(),
  slug: z.string().optional(),
  platform: z.string().nullable().optional(),
});

/** Name, slug and platform. Source: https://docs.sentry.io/api/projects/update-a-project/ */
export const updateProjectEndpoint: ApiEndpoint<ProjectParams> = async ({ caller, params, request }) => {
  const { ctx, project } = await findProject(caller, params);
  const { name, slug, platform } = await readJsonBody(request, CHANGE);
  const change = {
    ...(name !== undefined && { name }),
    ...(slug !== undefined && { slug }),
    ...(platform !== undefined && { platform }),
  };
  const updated = await updateProject(ctx, { projectSlug: project.slug, change });
  return { body: serializeProject(updated, ctx.organization, ctx.publicUrl) };
};

/** The slug of the address confirms it. Source: https://docs.sentry.io/api/projects/delete-a-project/ */
export const deleteProjectEndpoint: ApiEndpoint<ProjectParams> = async ({ caller, params }) => {
  const { ctx, project } = await findProject(caller, params);
  await deleteProject(ctx, { projectSlug: project.slug, confirmation: project.slug });
  return { body: null, status: 204 };
};
