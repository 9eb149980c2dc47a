import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getTeam } from './get-team.ts';

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
