'use server';

import { z } from 'zod';
import { action, formAction } from '#app/forms/action.ts';
import { suggestSlug } from '#lib/slug.ts';
import { createTeam, deleteTeam, setTeamMember, setTeamProject } from '#product/teams/teams.ts';
import { TEAM_FIELDS } from './team-fields.ts';

const SLUG = z.string().max(100);

export const createTeamAction = formAction({
  fields: TEAM_FIELDS,
  place: z.null(),
  // The slug is made of the name.
  save: async (ctx, { name }) => {
    await createTeam(ctx, { name, slug: suggestSlug(name) });
    return null;
  },
});

export const deleteTeamAction = action({ input: SLUG, run: deleteTeam });

export const setMemberAction = action({
  input: z.strictObject({ team: SLUG, userId: z.string().max(100), isMember: z.boolean() }),
  run: setTeamMember,
});

export const setProjectAction = action({
  input: z.strictObject({ team: SLUG, projectSlug: SLUG, isOwned: z.boolean() }),
  run: setTeamProject,
});
