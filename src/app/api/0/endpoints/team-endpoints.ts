import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { serializeTeam } from '#app/api/0/serializers/serialize-team.ts';
import { suggestSlug } from '#lib/slug.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { createTeam } from '#product/teams/create-team.ts';
import { deleteTeam } from '#product/teams/delete-team.ts';
import { getTeam } from '#product/teams/get-team.ts';
import { listTeams } from '#product/teams/list-teams.ts';
import { setTeamMember } from '#product/teams/set-team-member.ts';
import { setTeamProject } from '#product/teams/set-team-project.ts';
import { updateTeam } from '#product/teams/update-team.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import type { Team } from '#storage/ports/teams.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import type { OrganizationParams } from './organization-endpoints.ts';

type TeamParams = OrganizationParams & { team: string };

const NEW_TEAM = z.object({ slug: z.string().max(200).optional(), name: z.string().max(1_000).optional() });
const TEAM_CHANGE = z.object({
  slug: z.string().max(200).optional(),
  name: z.string().max(1_000).optional(),
});

/** Source: https://docs.sentry.io/api/teams/list-an-organizations-teams/ */
export const listTeamsEndpoint: ApiEndpoint<OrganizationParams> = async ({ caller, params, url }) => {
  const ctx = contextOf(caller, params.org);
  return answerPage(ctx.publicUrl, url, async () => ({
    rows: await serializeTeams(ctx, await listTeams(ctx)),
    nextCursor: null,
  }));
};

/** A slug is made of the name when there is none. Source: https://docs.sentry.io/api/teams/create-a-new-team/ */
export const createTeamEndpoint: ApiEndpoint<OrganizationParams> = async ({ caller, params, request }) => {
  const ctx = contextOf(caller, params.org);
  const { slug, name } = await readJsonBody(request, NEW_TEAM);
  const input = { slug: slug ?? suggestSlug(name ?? ''), name: name ?? slug ?? '' };
  return { body: await serializeOne(ctx, await createTeam(ctx, input)), status: 201 };
};

/** Source: https://docs.sentry.io/api/teams/retrieve-a-team/ */
export const getTeamEndpoint: ApiEndpoint<TeamParams> = async ({ caller, params }) => {
  const ctx = contextOf(caller, params.org);
  return { body: await serializeOne(ctx, await getTeam(ctx, params.team)) };
};

/** Source: https://docs.sentry.io/api/teams/update-a-team/ */
export const updateTeamEndpoint: ApiEndpoint<TeamParams> = async ({ caller, params, request }) => {
  const ctx = contextOf(caller, params.org);
  const change = await readJsonBody(request, TEAM_CHANGE);
  return { body: await serializeOne(ctx, await updateTeam(ctx, { team: params.team, change })) };
};

/** Source: https://docs.sentry.io/api/teams/delete-a-team/ */
export const deleteTeamEndpoint: ApiEndpoint<TeamParams> = async ({ caller, params }) => {
  await deleteTeam(contextOf(caller, params.org), params.team);
  return { body: null, status: 204 };
};

/** Source: https://docs.sentry.io/api/teams/list-a-teams-members/ */
export const listTeamMembersEndpoint: ApiEndpoint<TeamParams> = async ({ caller, params }) => {
  const ctx = contextOf(caller, params.org);
  requireRight(ctx, 'team:read');
  const team = await getTeam(ctx, params.team);
  const members = await ctx.stores.accounts.listMembers(ctx.organization.id);
  return {
    body: members
      .filter(({ id }) => team.memberIds.includes(id))
      .map(({ id, name, email, role }) => ({ id, name, email, orgRole: role })),
  };
};

type MembershipParams = TeamParams & { member: string };

/** `me` is whoever asks. Source: https://docs.sentry.io/api/teams/add-an-organization-member-to-a-team/ */
export const addTeamMemberEndpoint: ApiEndpoint<MembershipParams> = async ({ caller, params }) => {
  const ctx = contextOf(caller, params.org);
  await setTeamMember(ctx, { team: params.team, userId: await memberOf(ctx, params), isMember: true });
  return { body: await serializeOne(ctx, await getTeam(ctx, params.team)), status: 201 };
};

/** Source: https://docs.sentry.io/api/teams/delete-an-organization-member-from-a-team/ */
export const removeTeamMemberEndpoint: ApiEndpoint<MembershipParams> = async ({ caller, params }) => {
  const ctx = contextOf(caller, params.org);
  await setTeamMember(ctx, { team: params.team, userId: await memberOf(ctx, params), isMember: false });
  return { body: await serializeOne(ctx, await getTeam(ctx, params.team)) };
};

type ProjectTeamParams = ProjectParams & { team: string };

/** Source: https://docs.sentry.io/api/projects/add-a-team-to-a-project/ */
export const addProjectTeamEndpoint: ApiEndpoint<ProjectTeamParams> = async (call) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  await setTeamProject(ctx, { team: call.params.team, projectSlug: project.slug, isOwned: true });
  return { body: await serializeOne(ctx, await getTeam(ctx, call.params.team)), status: 201 };
};

/** Source: https://docs.sentry.io/api/projects/delete-a-team-from-a-project/ */
export const removeProjectTeamEndpoint: ApiEndpoint<ProjectTeamParams> = async (call) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  await setTeamProject(ctx, { team: call.params.team, projectSlug: project.slug, isOwned: false });
  return { body: await serializeOne(ctx, await getTeam(ctx, call.params.team)) };
};

/** By the number of the membership, the user id, or `me`. */
async function memberOf(ctx: Context, { member }: MembershipParams): Promise<string> {
  if (member === 'me') return userIdOf(ctx) ?? member;
  const members = await ctx.stores.members.list(ctx.organization.id);
  return members.find(({ id }) => String(id) === member)?.userId ?? member;
}

async function serializeTeams(ctx: Context, teams: readonly Team[]) {
  const projects = await listVisibleProjects(ctx);
  const around = { organization: ctx.organization, projects, userId: userIdOf(ctx) };
  return teams.map((team) => serializeTeam(team, around));
}

async function serializeOne(ctx: Context, team: Team) {
  const [serialized] = await serializeTeams(ctx, [team]);
  return serialized;
}
