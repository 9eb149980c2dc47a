import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { Tracker } from '#storage/ports/trackers.ts';

export type TrackerRow = Tracker & {
  /** Where it sends its webhooks to. */
  hookUrl: string;
};

/** Trackers of the organization, by name. */
export async function listTrackers(ctx: Context): Promise<readonly TrackerRow[]> {
  requireRight(ctx, 'event:read');
  const trackers = await ctx.stores.trackers.list(ctx.organization.id);
  return trackers.map((tracker) => ({ ...tracker, hookUrl: hookUrlOf(ctx, tracker) }));
}

export const hookUrlOf = ({ publicUrl, organization }: Context, { kind, id }: Tracker): string =>
  `${publicUrl}/api/hooks/${organization.slug}/${kind}/${id}`;

export const trackerNotFound = ({ organization }: Context, trackerId: number) =>
  notFound(`${organization.slug} has no tracker ${trackerId}: it may have been disconnected`);
