import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { Team } from '#storage/ports/teams.ts';
import { checkTeam } from './check-team.ts';

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
