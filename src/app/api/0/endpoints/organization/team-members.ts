import { z } from 'zod';
import { serializeOneTeam, serializeTeams } from '#app/api/0/endpoints/organization/teams.ts';
import { del, get, type Operation, post, put } from '#app/api/0/operation.ts';
import { CURSOR, PROJECTS } from '#app/api/0/query.ts';
import { MEMBER, serializeMember, TEAM_MEMBER } from '#app/api/0/shapes/member.ts';
import { TEAM } from '#app/api/0/shapes/team.ts';
import { invalid, notFound } from '#lib/errors.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { listMembers } from '#product/members/members.ts';
import { requireRight } from '#product/permissions.ts';
import { getTeam, listTeams, setTeamMember } from '#product/teams/teams.ts';
import { selectProjects } from '#product/visible-projects.ts';

const TEAM_ROLE = z.object({ teamRole: z.string().max(40).optional() });

/** The one role that there is in a team. */
const CONTRIBUTOR = 'contributor';

export const teamMemberOperations: readonly Operation[] = [
  /** Source: https://docs.sentry.io/api/teams/list-a-teams-members/ */
  get('teams/[org]/[team]/members', {
    summary: "Lists a team's members",
    scopes: ['team:read'],
    query: { ...CURSOR },
    answer: z.array(TEAM_MEMBER),
    isPaged: true,
    async handle({ ctx, params, page }) {
      requireRight(ctx, 'team:read');
      const [members, team] = await Promise.all([
        ctx.stores.members.list(ctx.organization.id),
        getTeam(ctx, params.team),
      ]);
      return page(async () =>
        members
          .filter(({ userId }) => team.memberIds.includes(userId))
          .map((member) => ({ ...serializeMember(member, [team]), teamRole: null, teamSlug: team.slug })),
      );
    },
  }),

  /** Who is in a team of the project. Source: https://docs.sentry.io/api/organizations/list-a-projects-organization-members/ */
  get('projects/[org]/[project]/members', {
    summary: "Lists the members of a project's teams",
    scopes: ['member:read'],
    query: { ...CURSOR },
    answer: z.array(MEMBER),
    isPaged: true,
    async handle({ ctx, project, page }) {
      const [members, teams] = await Promise.all([
        listMembers(ctx),
        ctx.stores.teams.list(ctx.organization.id),
      ]);
      const owners = teams.filter(({ projectIds }) => projectIds.includes(project.id));
      return page(async () =>
        members
          .filter(({ userId }) => owners.some(({ memberIds }) => memberIds.includes(userId)))
          .map((member) => serializeMember(member, teams)),
      );
    },
  }),

  /** Members with the projects of their teams; with `project` those who are in a team of one. Source: Sentry's `users`. */
  get('organizations/[org]/users', {
    summary: 'Lists members with the projects of their teams',
    scopes: ['member:read'],
    query: { ...PROJECTS },
    answer: z.array(MEMBER.extend({ projects: z.array(z.string()) }).meta({ id: 'MemberWithProjects' })),
    async handle({ ctx, query }) {
      const [members, teams, projects] = await Promise.all([
        listMembers(ctx),
        ctx.stores.teams.list(ctx.organization.id),
        selectProjects(ctx, query.projectSlugs),
      ]);
      return members
        .map((member) => {
          const own = teams.filter(({ memberIds }) => memberIds.includes(member.userId));
          const theirs = projects.filter(({ id }) => own.some(({ projectIds }) => projectIds.includes(id)));
          return { ...serializeMember(member, teams), projects: theirs.map(({ slug }) => slug) };
        })
        .filter((member) => query.projectSlugs.length === 0 || member.projects.length > 0)
        .toSorted((a, b) => a.email.localeCompare(b.email));
    },
  }),

  /** Teams of the caller. Source: https://docs.sentry.io/api/teams/list-a-users-teams-for-an-organization/ */
  get('organizations/[org]/user-teams', {
    summary: 'Lists your teams',
    scopes: ['team:read', 'event:read'],
    query: { ...CURSOR },
    answer: z.array(TEAM),
    isPaged: true,
    async handle({ ctx, page }) {
      const userId = userIdOf(ctx);
      const teams = (await listTeams(ctx)).filter(
        ({ memberIds }) => userId !== null && memberIds.includes(userId),
      );
      return page(async () => serializeTeams(ctx, teams));
    },
  }),

  /** `me` is the caller. Source: https://docs.sentry.io/api/teams/add-an-organization-member-to-a-team/ */
  post('organizations/[org]/members/[member]/teams/[team]', {
    summary: 'Adds a member to a team',
    scopes: ['team:write'],
    answer: TEAM,
    status: 201,
    async handle({ ctx, params }) {
      await setTeamMember(ctx, { team: params.team, userId: await memberOf(ctx, params), isMember: true });
      return serializeOneTeam(ctx, await getTeam(ctx, params.team));
    },
  }),

  /** Source: https://docs.sentry.io/api/teams/delete-an-organization-member-from-a-team/ */
  del('organizations/[org]/members/[member]/teams/[team]', {
    summary: 'Removes a member from a team',
    scopes: ['team:write'],
    answer: TEAM,
    async handle({ ctx, params }) {
      await setTeamMember(ctx, { team: params.team, userId: await memberOf(ctx, params), isMember: false });
      return serializeOneTeam(ctx, await getTeam(ctx, params.team));
    },
  }),

  /** Nothing to change: everybody in a team is a contributor. Source: https://docs.sentry.io/api/teams/update-an-organization-members-team-role/ */
  put('organizations/[org]/members/[member]/teams/[team]', {
    summary: "Retrieves a member's role in a team",
    scopes: ['team:write'],
    body: TEAM_ROLE,
    answer: z.object({ isActive: z.boolean(), teamRole: z.string() }),
    async handle({ ctx, params, body }) {
      const { teamRole = CONTRIBUTOR } = body;
      requireRight(ctx, 'team:write');
      if (teamRole !== CONTRIBUTOR) {
        throw invalid(`Team roles are not supported: every team member is a "${CONTRIBUTOR}"`, 'teamRole');
      }
      const [team, userId] = await Promise.all([getTeam(ctx, params.team), memberOf(ctx, params)]);
      if (!team.memberIds.includes(userId)) throw notFound(`This member is not in the team "${team.slug}"`);
      return { isActive: true, teamRole: CONTRIBUTOR };
    },
  }),
];

/** By the number of the membership, the user id, or `me`. */
async function memberOf(ctx: Context, { member }: { member: string }): Promise<string> {
  if (member === 'me') return userIdOf(ctx) ?? member;
  const members = await ctx.stores.members.list(ctx.organization.id);
  return members.find(({ id }) => String(id) === member)?.userId ?? member;
}
