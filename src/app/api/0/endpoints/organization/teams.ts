import { z } from 'zod';
import { isNamedLike } from '#app/api/0/is-named-like.ts';
import { del, get, type Operation, post, put } from '#app/api/0/operation.ts';
import { CURSOR, WORDS } from '#app/api/0/query.ts';
import { serializeTeam, TEAM } from '#app/api/0/shapes/team.ts';
import { suggestSlug } from '#lib/slug.ts';
import type { Context } from '#product/context.ts';
import type { Team } from '#product/teams/team-store.ts';
import { createTeam, deleteTeam, getTeam, listTeams, updateTeam } from '#product/teams/teams.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';

const TEAM_BODY = z.object({ slug: z.string().max(200).optional(), name: z.string().max(1_000).optional() });

export const teamOperations: readonly Operation[] = [
  /** Source: https://docs.sentry.io/api/teams/list-an-organizations-teams/ */
  get('organizations/[org]/teams', {
    summary: 'Lists teams',
    scopes: ['team:read', 'event:read'],
    query: { ...CURSOR, ...WORDS },
    answer: z.array(TEAM),
    isPaged: true,
    handle: async ({ ctx, query, page }) =>
      page(async () => {
        const teams = await listTeams(ctx);
        const found = teams.filter((team) => isNamedLike(query.search, team));
        return serializeTeams(ctx, found);
      }),
  }),

  /** A slug is made of the name when there is none. Source: https://docs.sentry.io/api/teams/create-a-new-team/ */
  post('organizations/[org]/teams', {
    summary: 'Creates a team',
    scopes: ['team:write'],
    body: TEAM_BODY,
    answer: TEAM,
    status: 201,
    async handle({ ctx, body }) {
      const { slug, name } = body;
      const input = { slug: slug ?? suggestSlug(name ?? ''), name: name ?? slug ?? '' };
      return serializeOneTeam(ctx, await createTeam(ctx, input));
    },
  }),

  /** Source: https://docs.sentry.io/api/teams/retrieve-a-team/ */
  get('teams/[org]/[team]', {
    summary: 'Retrieves a team',
    scopes: ['team:read', 'event:read'],
    answer: TEAM,
    handle: async ({ ctx, params }) => serializeOneTeam(ctx, await getTeam(ctx, params.team)),
  }),

  /** Source: https://docs.sentry.io/api/teams/update-a-team/ */
  put('teams/[org]/[team]', {
    summary: 'Updates a team',
    scopes: ['team:write'],
    body: TEAM_BODY,
    answer: TEAM,
    handle: async ({ ctx, params, body }) =>
      serializeOneTeam(ctx, await updateTeam(ctx, { team: params.team, change: body })),
  }),

  /** Source: https://docs.sentry.io/api/teams/delete-a-team/ */
  del('teams/[org]/[team]', {
    summary: 'Deletes a team',
    scopes: ['team:admin'],
    answer: null,
    handle: async ({ ctx, params }) => deleteTeam(ctx, params.team),
  }),
];

export async function serializeTeams(ctx: Context, teams: readonly Team[]) {
  const projects = await listVisibleProjects(ctx);
  return teams.map((team) => serializeTeam(team, ctx, projects));
}

export const serializeOneTeam = async (ctx: Context, team: Team) =>
  serializeTeam(team, ctx, await listVisibleProjects(ctx));
