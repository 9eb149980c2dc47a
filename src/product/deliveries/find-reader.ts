import type { Receiver } from '#domain/alerts/who-is-notified.ts';
import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import type { Destination } from '#product/destinations/destination-store.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import type { DeliveryParts } from './delivery-parts.ts';

/** Who a message is for, and what they may see. */
export type Reader = {
  ctx: Context;
  projects: readonly Project[];
  to: { kind: 'destination'; destination: Destination } | { kind: 'user'; userId: string; email: string };
};

/** null when the destination is gone, or the user is no member any more. */
export async function findReader(
  parts: Pick<DeliveryParts, 'stores' | 'now' | 'publicUrl'>,
  organizationId: number,
  receiver: Receiver,
): Promise<Reader | null> {
  const { stores, now, publicUrl } = parts;
  const organizations = await stores.projects.listOrganizations();
  const organization = organizations.find(({ id }) => id === organizationId);
  if (!organization) return null;
  const base = { stores, organization, now, publicUrl };
  if (receiver.kind === 'destination') {
    const destination = await stores.destinations.find(organizationId, receiver.destinationId);
    if (!destination) return null;
    const projects = await stores.projects.listProjects(organizationId);
    return {
      ctx: { ...base, actor: { kind: 'system' } },
      projects,
      to: { kind: 'destination', destination },
    };
  }
  const { userId } = receiver;
  const [user, role] = await Promise.all([
    stores.accounts.findUser(userId),
    stores.accounts.findRole(organizationId, userId),
  ]);
  if (!user || !role) return null;
  const { name, isInstanceOwner, email } = user;
  const ctx: Context = { ...base, actor: { kind: 'user', userId, name, role, isInstanceOwner } };
  return { ctx, projects: await listVisibleProjects(ctx), to: { kind: 'user', userId, email } };
}
