import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { CURSOR } from '#app/api/0/parameters.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { MEMBER, TEAM_MEMBER } from '#app/api/0/schemas/member.ts';
import { TEAM } from '#app/api/0/schemas/team.ts';
import { serializeMember } from '#app/api/0/serializers/serialize-member.ts';
import { invalid, notFound } from '#lib/errors.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { listMembers } from '#product/members/members.ts';
import { requireRight } from '#product/permissions.ts';
import { getTeam, listTeams, setTeamMember } from '#product/teams/teams.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import type { OrganizationParams } from './organization-endpoints.ts';
import { serializeOneTeam, serializeTeams, type TeamParams } from './team-endpoints.ts';

const LIST_TEAM_MEMBERS = {
  summary: 'Lists the members of a team',
  scopes: ['team:read'],
  query: { ...CURSOR },
  answer: z.array(TEAM_MEMBER),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/teams/list-a-teams-members/ */
export const listTeamMembersEndpoint = declare<TeamParams>(
  LIST_TEAM_MEMBERS,
  async ({ caller, params, url }) => {
    const ctx = contextOf(caller, params.org);
    requireRight(ctx, 'team:read');
    const [members, team] = await Promise.all([
      ctx.stores.members.list(ctx.organization.id),
      getTeam(ctx, params.team),
    ]);
    return answerPage(ctx.publicUrl, url, async () => ({
      rows: members
        .filter(({ userId }) => team.memberIds.includes(userId))
        .map((member) => ({ ...serializeMember(member, [team]), teamRole: null, teamSlug: team.slug })),
      nextCursor: null,
    }));
  },
);

const LIST_PROJECT_MEMBERS = {
  summary: 'Lists members who are in a team of the project',
  scopes: ['member:read'],
  query: { ...CURSOR },
  answer: z.array(MEMBER),
  isPaged: true,
} satisfies Operation;

/** Who is in a team of the project. Source: https://docs.sentry.io/api/organizations/list-a-projects-organization-members/ */
export const listProjectMembersEndpoint = declare<ProjectParams>(LIST_PROJECT_MEMBERS, async (call) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  const [members, teams] = await Promise.all([listMembers(ctx), ctx.stores.teams.list(ctx.organization.id)]);
  const owners = teams.filter(({ projectIds }) => projectIds.includes(project.id));
  return answerPage(ctx.publicUrl, call.url, async () => ({
    rows: members
      .filter(({ userId }) => owners.some(({ memberIds }) => memberIds.includes(userId)))
      .map((member) => serializeMember(member, teams)),
    nextCursor: null,
  }));
});

const LIST_OWN_TEAMS = {
  summary: 'Lists the teams that you are in',
  scopes: ['team:read', 'event:read'],
  query: { ...CURSOR },
  answer: z.array(TEAM),
  isPaged: true,
} satisfies Operation;

/** Teams that whoever asks is in. Source: https://docs.sentry.io/api/teams/list-a-users-teams-for-an-organization/ */
export const listOwnTeamsEndpoint = declare<OrganizationParams>(
  LIST_OWN_TEAMS,
  async ({ caller, params, url }) => {
    const ctx = contextOf(caller, params.org);
    const userId = userIdOf(ctx);
    const teams = (await listTeams(ctx)).filter(
      ({ memberIds }) => userId !== null && memberIds.includes(userId),
    );
    return answerPage(ctx.publicUrl, url, async () => ({
      rows: await serializeTeams(ctx, teams),
      nextCursor: null,
    }));
  },
);

type MembershipParams = TeamParams & { member: string };

const ADD_TEAM_MEMBER = {
  summary: 'Takes a member into a team',
  scopes: ['team:write'],
  answer: TEAM,
  status: 201,
} satisfies Operation;

/** `me` is whoever asks. Source: https://docs.sentry.io/api/teams/add-an-organization-member-to-a-team/ */
export const addTeamMemberEndpoint = declare<MembershipParams>(
  ADD_TEAM_MEMBER,
  async ({ caller, params }) => {
    const ctx = contextOf(caller, params.org);
    await setTeamMember(ctx, { team: params.team, userId: await memberOf(ctx, params), isMember: true });
    return { body: await serializeOneTeam(ctx, await getTeam(ctx, params.team)), status: 201 };
  },
);

const REMOVE_TEAM_MEMBER = {
  summary: 'Takes a member out of a team',
  scopes: ['team:write'],
  answer: TEAM,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/teams/delete-an-organization-member-from-a-team/ */
export const removeTeamMemberEndpoint = declare<MembershipParams>(
  REMOVE_TEAM_MEMBER,
  async ({ caller, params }) => {
    const ctx = contextOf(caller, params.org);
    await setTeamMember(ctx, { team: params.team, userId: await memberOf(ctx, params), isMember: false });
    return { body: await serializeOneTeam(ctx, await getTeam(ctx, params.team)) };
  },
);

const TEAM_ROLE = z.object({ teamRole: z.string().max(40).optional() });

/** The one role that there is in a team. */
const CONTRIBUTOR = 'contributor';

const UPDATE_TEAM_MEMBER = {
  summary: 'Answers the role of a member in a team',
  scopes: ['team:write'],
  body: TEAM_ROLE,
  answer: z.object({ isActive: z.boolean(), teamRole: z.string() }),
} satisfies Operation;

/** Nothing to change: everybody in a team is a contributor. Source: https://docs.sentry.io/api/teams/update-an-organization-members-team-role/ */
export const updateTeamMemberEndpoint = declare<MembershipParams>(
  UPDATE_TEAM_MEMBER,
  async ({ caller, params, request }) => {
    const ctx = contextOf(caller, params.org);
    const { teamRole = CONTRIBUTOR } = await readJsonBody(request, TEAM_ROLE);
    requireRight(ctx, 'team:write');
    if (teamRole !== CONTRIBUTOR) {
      throw invalid(`Teams have no roles here: everybody in one is a "${CONTRIBUTOR}"`, 'teamRole');
    }
    const [team, userId] = await Promise.all([getTeam(ctx, params.team), memberOf(ctx, params)]);
    if (!team.memberIds.includes(userId)) throw notFound(`This member is not in the team "${team.slug}"`);
    return { body: { isActive: true, teamRole: CONTRIBUTOR } };
  },
);

/** By the number of the membership, the user id, or `me`. */
async function memberOf(ctx: Context, { member }: MembershipParams): Promise<string> {
  if (member === 'me') return userIdOf(ctx) ?? member;
  const members = await ctx.stores.members.list(ctx.organization.id);
  return members.find(({ id }) => String(id) === member)?.userId ?? member;
}
