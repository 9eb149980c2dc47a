import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { nameOf } from './actor-name.ts';
import type { DataRequestSubject } from './data-request.ts';

/** Follows what becomes of the data of a deleted project or organization, until nothing of it is on disk. */
export const certifyDeletion = (
  ctx: Context,
  deleted: {
    subject: Exclude<DataRequestSubject, 'person'>;
    subjectName: string;
    projectIds: readonly number[];
  },
): Promise<void> =>
  ctx.stores.dataRequests.createOfDeleted({
    ...deleted,
    organizationId: ctx.organization.id,
    organizationSlug: ctx.organization.slug,
    requestedBy: userIdOf(ctx),
    requestedByName: nameOf(ctx),
    nowMs: ctx.now(),
  });
