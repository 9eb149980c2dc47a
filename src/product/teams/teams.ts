import { invalid, notFound } from '#lib/errors.ts';
import { isSlug } from '#lib/slug.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { hasRight, requireRight } from '#product/permissions.ts';
import { getProject, visibleProjectIds } from '#product/visible-projects.ts';
import type { Team } from './team-store.ts';

/** Every team, by slug, with its projects that the actor sees. Needs `event:read` or `team:read`. */
export async function listTeams(ctx: Context): Promise<readonly Team[]> {
  if (!hasRight(ctx.actor, 'event:read')) requireRight(ctx, 'team:read');
  const [teams, seen] = await Promise.all([
    ctx.stores.teams.list(ctx.organization.id),
    visibleProjectIds(ctx),
  ]);
  if (seen === null) return teams;
  return teams.map((team) => ({ ...team, projectIds: team.projectIds.filter((id) => seen.includes(id)) }));
}

/** By slug or number. Throws NotFound, also for teams of other organizations. */
export async function getTeam(ctx: Context, slugOrId: string): Promise<Team> {
  const teams = await listTeams(ctx);
  const team = teams.find(({ slug, id }) => slug === slugOrId || String(id) === slugOrId);
  if (team) return team;
  throw notFound(`Organization ${ctx.organization.slug} has no team "${slugOrId.slice(0, 80)}"`);
}

const NAME_CHARACTERS_MAX = 64;

/** The fields that are given, trimmed. Throws Invalid. */
export function checkTeam<Fields extends { slug?: string; name?: string }>(fields: Fields): Fields {
  const checked = { ...fields };
  if (fields.slug !== undefined && !isSlug(fields.slug)) {
    throw invalid(
      'Use up to 50 lowercase letters, digits, "-", and "_" for the slug, starting with a letter or digit, and not only digits',
      'slug',
    );
  }
  if (fields.name !== undefined) {
    checked.name = fields.name.trim();
    if (checked.name === '' || checked.name.length > NAME_CHARACTERS_MAX || /\p{Cc}/u.test(checked.name)) {
      throw invalid(`Enter a team name of at most ${NAME_CHARACTERS_MAX} characters`, 'name');
    }
  }
  return checked;
}

/** A team without members and projects. Throws Invalid, and Conflict when the slug is taken. */
export async function createTeam(ctx: Context, input: { slug: string; name: string }): Promise<Team> {
  requireRight(ctx, 'team:write');
  const checked = checkTeam(input);
  return audited(
    ctx,
    (ctx) => ctx.stores.teams.create(ctx.organization.id, checked),
    ({ id, slug }) => ({ action: 'team.create', target: { kind: 'team', id, name: slug } }),
  );
}

/** Throws Invalid, NotFound, and Conflict when the slug is taken. Ownership rules name a team by its slug. */
export async function updateTeam(
  ctx: Context,
  input: { team: string; change: { slug?: string; name?: string } },
): Promise<Team> {
  requireRight(ctx, 'team:write');
  const team = await getTeam(ctx, input.team);
  const change = checkTeam(input.change);
  return audited(
    ctx,
    async (ctx) => (await ctx.stores.teams.update(ctx.organization.id, team.id, change)) ?? team,
    (after) => ({
      action: 'team.edit',
      target: { kind: 'team', id: team.id, name: after.slug },
      data: { from: { slug: team.slug, name: team.name }, to: { slug: after.slug, name: after.name } },
    }),
  );
}

/** Issues of the team belong to nobody afterwards. Throws NotFound. */
export async function deleteTeam(ctx: Context, slugOrId: string): Promise<void> {
  requireRight(ctx, 'team:admin');
  const team = await getTeam(ctx, slugOrId);
  await audited(
    ctx,
    (ctx) => ctx.stores.teams.delete(ctx.organization.id, team.id),
    () => ({ action: 'team.remove', target: { kind: 'team', id: team.id, name: team.slug } }),
  );
}

/** Takes a member of the organization into a team, or out of it. Throws NotFound. */
export async function setTeamMember(
  ctx: Context,
  input: { team: string; userId: string; isMember: boolean },
): Promise<void> {
  requireRight(ctx, 'team:write');
  const team = await getTeam(ctx, input.team);
  const { userId, isMember } = input;
  await audited(
    ctx,
    async (ctx) => {
      const isIn = await ctx.stores.teams.setMember(ctx.organization.id, team.id, userId, isMember);
      if (isMember && !isIn) throw notFound(`${ctx.organization.slug} has no member ${userId.slice(0, 80)}`);
    },
    () =>
      team.memberIds.includes(userId) === isMember
        ? null
        : {
            action: isMember ? 'member.join-team' : 'member.leave-team',
            target: { kind: 'team', id: team.id, name: team.slug },
            data: { userId },
          },
  );
}

/** Makes a project one of a team's, or no longer. Throws NotFound. */
export async function setTeamProject(
  ctx: Context,
  input: { team: string; projectSlug: string; isOwned: boolean },
): Promise<void> {
  requireRight(ctx, 'team:write');
  const [team, project] = await Promise.all([getTeam(ctx, input.team), getProject(ctx, input.projectSlug)]);
  await audited(
    ctx,
    (ctx) => ctx.stores.teams.setProject(ctx.organization.id, team.id, project.id, input.isOwned),
    () =>
      team.projectIds.includes(project.id) === input.isOwned
        ? null
        : {
            action: input.isOwned ? 'project-team.add' : 'project-team.remove',
            target: { kind: 'team', id: team.id, name: team.slug },
            data: { project: project.slug },
          },
  );
}
