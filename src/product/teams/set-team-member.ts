import { notFound } from '#lib/errors.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getTeam } from './get-team.ts';

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
