import type { Context } from '#product/context.ts';
import type { DestinationKind } from '#storage/ports/destinations.ts';
import { requireAlertRead } from './alert-rights.ts';

/** Whom rules of the organization can tell, by name. */
export type AlertReceivers = {
  users: readonly { id: string; name: string; email: string }[];
  teams: readonly { id: number; slug: string; name: string }[];
  destinations: readonly { id: number; kind: DestinationKind; name: string }[];
};

export async function listAlertReceivers(ctx: Context): Promise<AlertReceivers> {
  requireAlertRead(ctx);
  const { accounts, teams, destinations } = ctx.stores;
  const organizationId = ctx.organization.id;
  const [members, named, places] = await Promise.all([
    accounts.listMembers(organizationId),
    teams.list(organizationId),
    destinations.list(organizationId),
  ]);
  return {
    users: members.map(({ id, name, email }) => ({ id, name, email })),
    teams: named.map(({ id, slug, name }) => ({ id, slug, name })),
    destinations: places.map(({ id, kind, name }) => ({ id, kind, name })),
  };
}
