import type { Project } from '#domain/projects.ts';
import { conflict, notFound } from '#lib/errors.ts';
import { userIdOf } from '#product/acting-user.ts';
import { addDefaultRules } from '#product/alerts/default-rules.ts';
import { audited, projectTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { Team } from '#product/teams/team-store.ts';
import { getTeam } from '#product/teams/teams.ts';
import { isBoundToTeams } from '#product/visible-projects.ts';
import { formatDsn } from '#protocol/dsn.ts';
import { checkPlatform, checkProjectName, checkProjectSlug } from './change-projects.ts';

export type NewProject = {
  slug: string;
  /** The slug when absent or blank. */
  name?: string | undefined;
  /** For example `javascript-nextjs`; null when not chosen. */
  platform: string | null;
  /** The team that has it, by slug or number; absent for none. */
  team?: string;
  /** Absent for true. */
  hasDefaultRules?: boolean;
};

/** Creates a project with a key and default alert rules, for the creator's teams. Throws Invalid, Conflict, NotFound. */
export async function createProject(
  ctx: Context,
  input: NewProject,
): Promise<{ project: Project; dsn: string }> {
  requireRight(ctx, 'project:write');
  checkProjectSlug(input.slug);
  const fields = {
    name: checkProjectName(input.name) ?? input.slug,
    platform: checkPlatform(input.platform),
  };
  const teams = await selectTeams(ctx, input.team);
  const { project, key } = await audited(
    ctx,
    async (ctx) => {
      const created = await ctx.stores.projects.createProject({
        organizationId: ctx.organization.id,
        slug: input.slug,
        ...fields,
        isInternal: false,
      });
      for (const { id } of teams) {
        await ctx.stores.teams.setProject(ctx.organization.id, id, created.project.id, true);
      }
      if (input.hasDefaultRules !== false) {
        await addDefaultRules(ctx, created.project.id, userIdOf(ctx));
      }
      return created;
    },
    (created) => ({
      action: 'project.create',
      target: projectTarget(created.project),
      data: { platform: fields.platform, teams: teams.map(({ slug }) => slug) },
    }),
  );
  return { project, dsn: formatDsn(ctx.publicUrl, key.publicKey, project.id) };
}

/** The teams that the project is given to. */
async function selectTeams(ctx: Context, name: string | undefined): Promise<readonly Team[]> {
  const own = isBoundToTeams(ctx) ? await listOwnTeams(ctx) : null;
  if (name === undefined) return own ?? [];
  const team = await getTeam(ctx, name);
  if (own === null || own.some(({ id }) => id === team.id)) return [team];
  throw notFound(`You are not a member of the team "${team.slug}": choose one of your teams`);
}

/** Throws Conflict when whoever asks is in no team: they would not see what they made. */
async function listOwnTeams(ctx: Context): Promise<readonly Team[]> {
  const userId = userIdOf(ctx);
  const teams = await ctx.stores.teams.list(ctx.organization.id);
  const own = teams.filter(({ memberIds }) => userId !== null && memberIds.includes(userId));
  if (own.length > 0) return own;
  throw conflict(
    'Projects belong to teams, and you are not a member of one: ask a manager to add you to a team',
  );
}
