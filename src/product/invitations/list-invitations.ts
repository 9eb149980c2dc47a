import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { Invitation } from '#storage/ports/invitations.ts';

/** Who was asked and has not joined yet, newest first, expired ones included. */
export async function listInvitations(ctx: Context): Promise<readonly Invitation[]> {
  requireRight(ctx, 'member:read');
  return ctx.stores.invitations.list(ctx.organization.id);
}
