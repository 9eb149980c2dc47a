'use server';

import { z } from 'zod';
import { action, formAction, leaveTo } from '#app/forms/action.ts';
import { deleteProject, updateProject } from '#product/projects/change-projects.ts';
import { PROJECT_FIELDS } from './project-fields.ts';

const SLUG = z.string().max(100);

export const saveProjectAction = formAction({
  fields: PROJECT_FIELDS,
  place: z.strictObject({ projectSlug: SLUG }),
  save: async (ctx, { platform, ...change }, { projectSlug }) => {
    await updateProject(ctx, { projectSlug, change: { ...change, platform: platform || null } });
    const { slug } = ctx.organization;
    if (change.slug !== projectSlug) leaveTo(ctx, `/${slug}/settings/projects/${change.slug}`);
    return null;
  },
});

/** `confirmation` is the slug, typed once more. Leads to the list of projects. */
export async function deleteProjectAction(orgSlug: string, projectSlug: string, confirmation: string) {
  return deleteConfirmed(orgSlug, { projectSlug, confirmation });
}

const deleteConfirmed = action({
  input: z.strictObject({ projectSlug: SLUG, confirmation: SLUG }),
  run: async (ctx, input) => {
    await deleteProject(ctx, input);
    leaveTo(ctx, `/${ctx.organization.slug}/projects`);
  },
});
