import { z } from 'zod';
import { del, get, type Operation, post } from '#app/api/0/operation.ts';
import { CURSOR } from '#app/api/0/query.ts';
import { PROJECT, serializeOneProject, serializeProjects } from '#app/api/0/shapes/project.ts';
import { serializeTeamCore, TEAM_CORE } from '#app/api/0/shapes/team.ts';
import { suggestSlug } from '#lib/slug.ts';
import { createProject } from '#product/projects/create-project.ts';
import { getTeam, listTeams, setTeamProject } from '#product/teams/teams.ts';
import { listProjects } from '#product/visible-projects.ts';

const NEW_PROJECT = z.object({
  name: z.string().max(1_000),
  slug: z.string().max(200).nullish(),
  platform: z.string().max(200).nullish(),
  default_rules: z.boolean().optional(),
});

export const teamProjectOperations: readonly Operation[] = [
  /** Source: https://docs.sentry.io/api/teams/list-a-teams-projects/ */
  get('teams/[org]/[team]/projects', {
    summary: "Lists a team's projects",
    scopes: ['project:read', 'org:ci'],
    alsoScopes: ['team:read'],
    query: { ...CURSOR },
    answer: z.array(PROJECT),
    isPaged: true,
    async handle({ ctx, params, page }) {
      const [team, projects] = await Promise.all([getTeam(ctx, params.team), listProjects(ctx)]);
      const own = projects.filter(({ id }) => team.projectIds.includes(id));
      return page(() => serializeProjects(ctx, own));
    },
  }),

  /** A slug is made of the name when there is none. Source: https://docs.sentry.io/api/projects/create-a-new-project/ */
  post('teams/[org]/[team]/projects', {
    summary: 'Creates a project for a team',
    scopes: ['project:write'],
    alsoScopes: ['team:read'],
    body: NEW_PROJECT,
    answer: PROJECT,
    status: 201,
    async handle({ ctx, params, body }) {
      const { project } = await createProject(ctx, {
        name: body.name,
        slug: body.slug || suggestSlug(body.name),
        platform: body.platform ?? null,
        team: params.team,
        ...(body.default_rules !== undefined && { hasDefaultRules: body.default_rules }),
      });
      return serializeOneProject(ctx, project);
    },
  }),

  /** Source: https://docs.sentry.io/api/projects/list-a-projects-teams/ */
  get('projects/[org]/[project]/teams', {
    summary: "Lists a project's teams",
    scopes: ['team:read', 'event:read'],
    query: { ...CURSOR },
    answer: z.array(TEAM_CORE),
    isPaged: true,
    async handle({ ctx, project, page }) {
      const teams = (await listTeams(ctx)).filter(({ projectIds }) => projectIds.includes(project.id));
      return page(async () => teams.map((team) => serializeTeamCore(team, ctx)));
    },
  }),

  /** Source: https://docs.sentry.io/api/projects/add-a-team-to-a-project/ */
  post('projects/[org]/[project]/teams/[team]', {
    summary: 'Adds a project to a team',
    scopes: ['team:write'],
    alsoScopes: ['project:read'],
    answer: PROJECT,
    status: 201,
    async handle({ ctx, project, params }) {
      await setTeamProject(ctx, { team: params.team, projectSlug: project.slug, isOwned: true });
      return serializeOneProject(ctx, project);
    },
  }),

  /** Source: https://docs.sentry.io/api/projects/delete-a-team-from-a-project/ */
  del('projects/[org]/[project]/teams/[team]', {
    summary: 'Removes a project from a team',
    scopes: ['team:write'],
    alsoScopes: ['project:read'],
    answer: PROJECT,
    async handle({ ctx, project, params }) {
      await setTeamProject(ctx, { team: params.team, projectSlug: project.slug, isOwned: false });
      return serializeOneProject(ctx, project);
    },
  }),
];
