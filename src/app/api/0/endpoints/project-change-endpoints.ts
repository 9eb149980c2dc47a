import { z } from 'zod';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { PROJECT_DETAIL } from '#app/api/0/schemas/project.ts';
import { inTransaction } from '#product/context.ts';
import { updateProjectPrivacy } from '#product/privacy/privacy-settings.ts';
import { deleteProject, updateProject } from '#product/projects/change-projects.ts';
import { changePrivacyOf, PRIVACY_CHANGE } from './change-privacy.ts';
import { describeProject } from './describe-project.ts';
import { findProject, type ProjectParams } from './find-project.ts';

const CHANGE = z.object({
  name: z.string().optional(),
  slug: z.string().optional(),
  platform: z.string().nullable().optional(),
  ...PRIVACY_CHANGE.shape,
});

const UPDATE_PROJECT = {
  summary: 'Changes name, slug, platform and privacy of a project',
  scopes: ['project:write'],
  body: CHANGE,
  answer: PROJECT_DETAIL,
} satisfies Operation;

/** Name, slug, platform, and what is scrubbed. Source: https://docs.sentry.io/api/projects/update-a-project/ */
export const updateProjectEndpoint = declare<ProjectParams>(
  UPDATE_PROJECT,
  async ({ caller, params, request }) => {
    const { ctx, project } = await findProject(caller, params);
    const body = await readJsonBody(request, CHANGE);
    const { name, slug, platform } = body;
    const change = {
      ...(name !== undefined && { name }),
      ...(slug !== undefined && { slug }),
      ...(platform !== undefined && { platform }),
    };
    const privacy = changePrivacyOf(body);
    const updated = await inTransaction(ctx, async (ctx) => {
      if (Object.keys(privacy).length > 0) {
        await updateProjectPrivacy(ctx, { projectSlug: project.slug, change: privacy });
      }
      return updateProject(ctx, { projectSlug: project.slug, change });
    });
    return { body: await describeProject(ctx, updated) };
  },
);

const DELETE_PROJECT = {
  summary: 'Deletes a project with all that it stored',
  scopes: ['project:admin'],
  answer: null,
} satisfies Operation;

/** The slug of the address confirms it. Source: https://docs.sentry.io/api/projects/delete-a-project/ */
export const deleteProjectEndpoint = declare<ProjectParams>(DELETE_PROJECT, async ({ caller, params }) => {
  const { ctx, project } = await findProject(caller, params);
  await deleteProject(ctx, { projectSlug: project.slug, confirmation: project.slug });
  return { body: null, status: 204 };
});
