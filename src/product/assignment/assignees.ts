import type { Member } from '#domain/people.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { Team } from '#product/teams/team-store.ts';
import { listTeams } from '#product/teams/teams.ts';

/** Everybody whom an issue can belong to: members by name, teams by slug. */
export async function listAssignees(
  ctx: Context,
): Promise<{ members: readonly Member[]; teams: readonly Team[] }> {
  requireRight(ctx, 'event:read');
  const [members, teams] = await Promise.all([
    ctx.stores.accounts.listMembers(ctx.organization.id),
    listTeams(ctx),
  ]);
  return { members, teams };
}

/** As a change of an issue names it. */
export type FoundAssignee = { assigneeUserId: string } | { assigneeTeamId: number };

/**
 * A member or a team by what people and Sentry's clients write: `user:<id>`, `team:<id>`, `#team-slug`, an id, an e-mail
 * address or a name (either case). Throws Invalid when there is none, and when two members have the name.
 */
export async function findAssignee(ctx: Context, text: string): Promise<FoundAssignee> {
  const wanted = text.trim();
  const team = /^(?:team:|#)(.+)$/.exec(wanted)?.[1];
  return team === undefined ? findUser(ctx, wanted.replace(/^user:/, '')) : findTeam(ctx, team);
}

async function findTeam(ctx: Context, slugOrId: string): Promise<FoundAssignee> {
  const teams = await ctx.stores.teams.list(ctx.organization.id);
  const team = teams.find(({ slug, id }) => slug === slugOrId.toLowerCase() || String(id) === slugOrId);
  if (team) return { assigneeTeamId: team.id };
  throw invalid(
    `${ctx.organization.slug} has no team "${slugOrId.slice(0, 80)}": check its slug`,
    'assignedTo',
  );
}

async function findUser(ctx: Context, wanted: string): Promise<FoundAssignee> {
  const members = await ctx.stores.accounts.listMembers(ctx.organization.id);
  const lower = wanted.toLowerCase();
  const byId = members.find(({ id, email }) => id === wanted || email.toLowerCase() === lower);
  if (byId) return { assigneeUserId: byId.id };
  const named = members.filter(({ name }) => name.toLowerCase() === lower);
  if (named.length > 1) {
    throw invalid(`Several members are named "${wanted.slice(0, 80)}": use an email address`, 'assignedTo');
  }
  const [member] = named;
  if (member) return { assigneeUserId: member.id };
  throw invalid(
    `${ctx.organization.slug} has no member "${wanted.slice(0, 80)}": use a member's email address or #team`,
    'assignedTo',
  );
}
