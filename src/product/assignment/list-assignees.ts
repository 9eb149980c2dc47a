import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { listTeams } from '#product/teams/teams.ts';
import type { Member } from '#storage/ports/accounts.ts';
import type { Team } from '#storage/ports/teams.ts';

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
