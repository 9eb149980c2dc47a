import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { OrganizationMember } from '#storage/ports/members.ts';

/** Everybody in the organization, by name. */
export async function listMembers(ctx: Context): Promise<readonly OrganizationMember[]> {
  requireRight(ctx, 'member:read');
  return ctx.stores.members.list(ctx.organization.id);
}
