import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import { isNamedLike } from '#app/api/0/is-named-like.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { CURSOR, WORDS } from '#app/api/0/parameters.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { TEAM } from '#app/api/0/schemas/team.ts';
import { serializeTeam } from '#app/api/0/serializers/serialize-team.ts';
import { suggestSlug } from '#lib/slug.ts';
import type { Context } from '#product/context.ts';
import type { Team } from '#product/teams/team-store.ts';
import { createTeam, deleteTeam, getTeam, listTeams, updateTeam } from '#product/teams/teams.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import type { OrganizationParams } from './organization-endpoints.ts';

export type TeamParams = OrganizationParams & { team: string };

const NEW_TEAM = z.object({ slug: z.string().max(200).optional(), name: z.string().max(1_000).optional() });
const TEAM_CHANGE = z.object({
  slug: z.string().max(200).optional(),
  name: z.string().max(1_000).optional(),
});

const LIST_TEAMS = {
  summary: 'Lists teams',
  scopes: ['team:read', 'event:read'],
  query: { ...CURSOR, ...WORDS },
  answer: z.array(TEAM),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/teams/list-an-organizations-teams/ */
export const listTeamsEndpoint = declare<OrganizationParams>(LIST_TEAMS, async ({ caller, params, url }) => {
  const ctx = contextOf(caller, params.org);
  return answerPage(ctx.publicUrl, url, async () => ({
    rows: await serializeTeams(
      ctx,
      (await listTeams(ctx)).filter((team) => isNamedLike(url, team)),
    ),
    nextCursor: null,
  }));
});

const CREATE_TEAM = {
  summary: 'Creates a team',
  scopes: ['team:write'],
  body: NEW_TEAM,
  answer: TEAM,
  status: 201,
} satisfies Operation;

/** A slug is made of the name when there is none. Source: https://docs.sentry.io/api/teams/create-a-new-team/ */
export const createTeamEndpoint = declare<OrganizationParams>(
  CREATE_TEAM,
  async ({ caller, params, request }) => {
    const ctx = contextOf(caller, params.org);
    const { slug, name } = await readJsonBody(request, NEW_TEAM);
    const input = { slug: slug ?? suggestSlug(name ?? ''), name: name ?? slug ?? '' };
    return { body: await serializeOneTeam(ctx, await createTeam(ctx, input)), status: 201 };
  },
);

const GET_TEAM = {
  summary: 'Answers a team',
  scopes: ['team:read', 'event:read'],
  answer: TEAM,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/teams/retrieve-a-team/ */
export const getTeamEndpoint = declare<TeamParams>(GET_TEAM, async ({ caller, params }) => {
  const ctx = contextOf(caller, params.org);
  return { body: await serializeOneTeam(ctx, await getTeam(ctx, params.team)) };
});

const UPDATE_TEAM = {
  summary: 'Changes a team',
  scopes: ['team:write'],
  body: TEAM_CHANGE,
  answer: TEAM,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/teams/update-a-team/ */
export const updateTeamEndpoint = declare<TeamParams>(UPDATE_TEAM, async ({ caller, params, request }) => {
  const ctx = contextOf(caller, params.org);
  const change = await readJsonBody(request, TEAM_CHANGE);
  return { body: await serializeOneTeam(ctx, await updateTeam(ctx, { team: params.team, change })) };
});

const DELETE_TEAM = {
  summary: 'Deletes a team',
  scopes: ['team:admin'],
  answer: null,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/teams/delete-a-team/ */
export const deleteTeamEndpoint = declare<TeamParams>(DELETE_TEAM, async ({ caller, params }) => {
  await deleteTeam(contextOf(caller, params.org), params.team);
  return { body: null, status: 204 };
});

export async function serializeTeams(ctx: Context, teams: readonly Team[]) {
  const projects = await listVisibleProjects(ctx);
  return teams.map((team) => serializeTeam(ctx, team, projects));
}

export async function serializeOneTeam(ctx: Context, team: Team) {
  const [serialized] = await serializeTeams(ctx, [team]);
  return serialized;
}
