import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import type { Invitation } from '#storage/ports/invitations.ts';
import { listInvitations } from './list-invitations.ts';

/** Throws NotFound, also for invitations of other organizations. */
export async function getInvitation(ctx: Context, id: number): Promise<Invitation> {
  const invitation = (await listInvitations(ctx)).find((each) => each.id === id);
  if (!invitation) throw invitationNotFound(ctx);
  return invitation;
}

export const invitationNotFound = (ctx: Context) =>
  notFound(`${ctx.organization.slug} has no such invitation: it was accepted or revoked, reload the list`);
