import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { Destination } from '#storage/ports/destinations.ts';

/** By name. Secrets are never part of what is listed. */
export async function listDestinations(ctx: Context): Promise<readonly Destination[]> {
  requireRight(ctx, 'alerts:read');
  return await ctx.stores.destinations.list(ctx.organization.id);
}

/** Throws NotFound. */
export async function getDestination(ctx: Context, destinationId: number): Promise<Destination> {
  requireRight(ctx, 'alerts:read');
  return await findDestination(ctx, destinationId);
}

/** For verbs that have asked for their own right. Throws NotFound. */
export async function findDestination(ctx: Context, destinationId: number): Promise<Destination> {
  const found = await ctx.stores.destinations.find(ctx.organization.id, destinationId);
  if (!found) throw destinationNotFound(ctx);
  return found;
}

export const destinationNotFound = (ctx: Context) =>
  notFound(`${ctx.organization.slug} has no such destination: it was removed, reload the list`);
