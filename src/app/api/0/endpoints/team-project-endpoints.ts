import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { CURSOR } from '#app/api/0/parameters.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { PROJECT } from '#app/api/0/schemas/project.ts';
import { TEAM_CORE } from '#app/api/0/schemas/team.ts';
import { serializeProjects } from '#app/api/0/serializers/serialize-projects.ts';
import { serializeTeamCore } from '#app/api/0/serializers/serialize-team.ts';
import { suggestSlug } from '#lib/slug.ts';
import { createProject } from '#product/projects/create-project.ts';
import { getTeam, listTeams, setTeamProject } from '#product/teams/teams.ts';
import { listProjects } from '#product/visible-projects.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import type { TeamParams } from './team-endpoints.ts';

const NEW_PROJECT = z.object({
  name: z.string().max(1_000),
  slug: z.string().max(200).nullish(),
  platform: z.string().max(200).nullish(),
  default_rules: z.boolean().optional(),
});

const LIST_TEAM_PROJECTS = {
  summary: 'Lists the projects of a team',
  scopes: ['project:read', 'org:ci'],
  alsoScopes: ['team:read'],
  query: { ...CURSOR },
  answer: z.array(PROJECT),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/teams/list-a-teams-projects/ */
export const listTeamProjectsEndpoint = declare<TeamParams>(
  LIST_TEAM_PROJECTS,
  async ({ caller, params, url }) => {
    const ctx = contextOf(caller, params.org);
    const [team, projects] = await Promise.all([getTeam(ctx, params.team), listProjects(ctx)]);
    return answerPage(ctx.publicUrl, url, async () => ({
      rows: await serializeProjects(
        ctx,
        projects.filter(({ id }) => team.projectIds.includes(id)),
      ),
      nextCursor: null,
    }));
  },
);

const CREATE_TEAM_PROJECT = {
  summary: 'Creates a project for a team',
  scopes: ['project:write'],
  alsoScopes: ['team:read'],
  body: NEW_PROJECT,
  answer: PROJECT,
  status: 201,
} satisfies Operation;

/** A slug is made of the name when there is none. Source: https://docs.sentry.io/api/projects/create-a-new-project/ */
export const createTeamProjectEndpoint = declare<TeamParams>(
  CREATE_TEAM_PROJECT,
  async ({ caller, params, request }) => {
    const ctx = contextOf(caller, params.org);
    const body = await readJsonBody(request, NEW_PROJECT);
    const { project } = await createProject(ctx, {
      name: body.name,
      slug: body.slug || suggestSlug(body.name),
      platform: body.platform ?? null,
      team: params.team,
      ...(body.default_rules !== undefined && { hasDefaultRules: body.default_rules }),
    });
    const [serialized] = await serializeProjects(ctx, [project]);
    return { body: serialized, status: 201 };
  },
);

const LIST_PROJECT_TEAMS = {
  summary: 'Lists the teams of a project',
  scopes: ['team:read', 'event:read'],
  query: { ...CURSOR },
  answer: z.array(TEAM_CORE),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/projects/list-a-projects-teams/ */
export const listProjectTeamsEndpoint = declare<ProjectParams>(LIST_PROJECT_TEAMS, async (call) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  const teams = (await listTeams(ctx)).filter(({ projectIds }) => projectIds.includes(project.id));
  return answerPage(ctx.publicUrl, call.url, async () => ({
    rows: teams.map((team) => serializeTeamCore(ctx, team)),
    nextCursor: null,
  }));
});

type ProjectTeamParams = ProjectParams & { team: string };

const ADD_PROJECT_TEAM = {
  summary: 'Gives a project to a team',
  scopes: ['team:write'],
  alsoScopes: ['project:read'],
  answer: PROJECT,
  status: 201,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/projects/add-a-team-to-a-project/ */
export const addProjectTeamEndpoint = declare<ProjectTeamParams>(ADD_PROJECT_TEAM, async (call) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  await setTeamProject(ctx, { team: call.params.team, projectSlug: project.slug, isOwned: true });
  const [serialized] = await serializeProjects(ctx, [project]);
  return { body: serialized, status: 201 };
});

const REMOVE_PROJECT_TEAM = {
  summary: 'Takes a project from a team',
  scopes: ['team:write'],
  alsoScopes: ['project:read'],
  answer: PROJECT,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/projects/delete-a-team-from-a-project/ */
export const removeProjectTeamEndpoint = declare<ProjectTeamParams>(REMOVE_PROJECT_TEAM, async (call) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  await setTeamProject(ctx, { team: call.params.team, projectSlug: project.slug, isOwned: false });
  const [serialized] = await serializeProjects(ctx, [project]);
  return { body: serialized };
});
