'use server';

import { revalidatePath } from 'next/cache';
import type { CreateState } from '#app/[org]/settings/create-form.tsx';
import { refusalOf } from '#app/[org]/settings/refusal.ts';
import { getRequestContext } from '#app/request-context.ts';
import { suggestSlug } from '#lib/slug.ts';
import type { Context } from '#product/context.ts';
import { createTeam } from '#product/teams/create-team.ts';
import { deleteTeam } from '#product/teams/delete-team.ts';
import { setTeamMember } from '#product/teams/set-team-member.ts';
import { setTeamProject } from '#product/teams/set-team-project.ts';

/** The slug is made of the name. */
export async function createTeamAction(
  orgSlug: string,
  _previous: CreateState,
  form: FormData,
): Promise<CreateState> {
  const name = String(form.get('name') ?? '');
  const error = await answering(orgSlug, (ctx) => createTeam(ctx, { name, slug: suggestSlug(name) }));
  return error === null ? { name: '', error } : { name, error };
}

/** Answers what went wrong, or null. */
export async function deleteTeamAction(orgSlug: string, team: string): Promise<string | null> {
  return answering(orgSlug, (ctx) => deleteTeam(ctx, team));
}

/** Answers what went wrong, or null. */
export async function setMemberAction(
  orgSlug: string,
  input: { team: string; userId: string; isMember: boolean },
): Promise<string | null> {
  return answering(orgSlug, (ctx) => setTeamMember(ctx, input));
}

/** Answers what went wrong, or null. */
export async function setProjectAction(
  orgSlug: string,
  input: { team: string; projectSlug: string; isOwned: boolean },
): Promise<string | null> {
  return answering(orgSlug, (ctx) => setTeamProject(ctx, input));
}

async function answering(orgSlug: string, act: (ctx: Context) => Promise<unknown>): Promise<string | null> {
  const ctx = await getRequestContext(orgSlug);
  const refusal = await refusalOf(() => act(ctx));
  if (refusal) return refusal.message;
  revalidatePath(`/${orgSlug}/settings/teams`);
  return null;
}
