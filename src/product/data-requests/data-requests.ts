import { conflict, forbidden, invalid, notFound } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import { isInstanceOwner, userIdOf } from '#product/acting-user.ts';
import { type AuditedChange, audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { UserKey } from '#storage/ports/user-activity.ts';
import { nameOf } from './actor-name.ts';
import type { DataRequest, DataRequestNote } from './data-request.ts';
import { checkIdentifiers, hasShortOne } from './identifiers.ts';

/** Requests listed, newest first. */
export const DATA_REQUESTS_LISTED_MAX = 200;
/** Each reads everything that the organization has stored. */
export const OPEN_REQUESTS_MAX = 20;
/** Earlier erasures of the same person that are shown. */
const ERASED_LISTED_MAX = 10;
/** What has to be typed to erase. */
export const ERASE_CONFIRMATION = 'erase';

/** Who may look into what is stored of a person, and remove it: managers and owners. */
export const requireDataRights = (ctx: Pick<Context, 'actor'>): void => requireRight(ctx, 'org:write');

/**
 * Asks what is stored of a person: a job counts it by kind, and nothing is changed before `eraseData`. Throws Forbidden below
 * the role of a manager, Invalid naming the field, Conflict when too many requests are open.
 */
export async function requestData(
  ctx: Context,
  input: { identifiers: readonly UserKey[] },
): Promise<DataRequest> {
  requireDataRights(ctx);
  const identifiers = checkIdentifiers(input.identifiers);
  const { dataRequests, personTexts } = ctx.stores;
  const { id: organizationId, slug: organizationSlug } = ctx.organization;
  if ((await dataRequests.countOpen(organizationId)) >= OPEN_REQUESTS_MAX) {
    throw conflict(`${OPEN_REQUESTS_MAX} requests are open already: finish or cancel one of them first`);
  }
  const notes: DataRequestNote[] = hasShortOne(identifiers) ? ['short_identifier'] : [];
  if ((await personTexts.findMembers(organizationId, identifiers)).length > 0)
    notes.push('member_account_stays');
  const asked = {
    organizationId,
    organizationSlug,
    identifiers,
    identifierHashes: dataRequests.hashesOf(identifiers),
    notes,
    requestedBy: userIdOf(ctx),
    requestedByName: nameOf(ctx),
    nowMs: ctx.now(),
  };
  return audited(
    ctx,
    (within) => within.stores.dataRequests.create(asked),
    (request) => change('data-request.create', request),
  );
}

/** Newest first, deleted projects of the organization included. Throws Forbidden. */
export async function listDataRequests(ctx: Context): Promise<readonly DataRequest[]> {
  requireDataRights(ctx);
  return ctx.stores.dataRequests.list(ctx.organization.id, DATA_REQUESTS_LISTED_MAX);
}

export type DescribedRequest = {
  request: DataRequest;
  /** Empty once they are forgotten. */
  identifiers: readonly UserKey[];
  /** Finished erasures of one of the identifiers. */
  erasedBefore: readonly DataRequest[];
};

/** Throws Forbidden, NotFound. */
export async function getDataRequest(ctx: Context, requestId: number): Promise<DescribedRequest> {
  requireDataRights(ctx);
  const request = await findRequest(ctx, requestId);
  const { dataRequests } = ctx.stores;
  const identifiers = await dataRequests.readIdentifiers(ctx.organization.id, request.id);
  const erased = await dataRequests.listErased(
    ctx.organization.id,
    request.identifierHashes,
    ERASED_LISTED_MAX,
  );
  return { request, identifiers, erasedBefore: erased.filter(({ id }) => id !== request.id) };
}

/** A job writes an archive of everything that was found, for whoever asks. Throws Forbidden, NotFound, Conflict. */
export async function exportData(ctx: Context, requestId: number): Promise<DataRequest> {
  requireDataRights(ctx);
  return begin(ctx, requestId, 'exporting', 'data-request.export');
}

/**
 * A job removes everything that was found, and what arrived until now. Cannot be undone. Throws Forbidden, NotFound, Conflict
 * unless it was counted, and Invalid unless the confirmation is `erase`.
 */
export async function eraseData(
  ctx: Context,
  input: { requestId: number; confirmation: string },
): Promise<DataRequest> {
  requireDataRights(ctx);
  if (input.confirmation.trim().toLowerCase() !== ERASE_CONFIRMATION) {
    throw invalid(`Type ${ERASE_CONFIRMATION} to erase the data`, 'confirmation');
  }
  return begin(ctx, input.requestId, 'erasing', 'data-request.erase');
}

/** Forgets the identifiers and the export; what was found stays where it is. Throws Forbidden, NotFound, Conflict. */
export async function cancelDataRequest(ctx: Context, requestId: number): Promise<DataRequest> {
  requireDataRights(ctx);
  const canceled = await begin(ctx, requestId, 'canceled', 'data-request.cancel');
  await ctx.stores.exportFiles.delete(requestId);
  await ctx.stores.dataRequests.forgetExport(requestId);
  return canceled;
}

/**
 * The archive, for who asked for it and nobody else. Throws Forbidden, and NotFound when there is none, or not any more.
 */
export async function openExport(ctx: Context, requestId: number) {
  requireDataRights(ctx);
  const request = await findRequest(ctx, requestId);
  const isOwn = ctx.actor.kind === 'system' || request.exportRequestedBy === userIdOf(ctx);
  const isThere = request.exportExpiresAt !== null && request.exportExpiresAt > ctx.now();
  const file = isOwn && isThere ? await ctx.stores.exportFiles.read(request.id) : null;
  if (!file) {
    throw notFound(
      request.exportBytes !== null && !isOwn
        ? 'Only the person who requested this export can download it: request one of your own'
        : 'There is no export to download: it has expired, or was never requested',
    );
  }
  return { ...file, fileName: `errata-data-request-${request.id}.tar.gz` };
}

async function begin(
  ctx: Context,
  requestId: number,
  what: 'exporting' | 'erasing' | 'canceled',
  action: AuditedChange['action'],
): Promise<DataRequest> {
  const request = await findRequest(ctx, requestId);
  const by = { userId: userIdOf(ctx), name: nameOf(ctx) };
  const { id } = ctx.organization;
  const nowMs = ctx.now();
  return audited(
    ctx,
    async (within) => {
      const { dataRequests } = within.stores;
      if (!(await dataRequests.begin(id, request.id, what, by, nowMs))) {
        throw conflict(`Request ${request.id} is ${request.state}: ${NEXT_STEP[request.state]}`);
      }
      return { ...request, ...(await dataRequests.find(id, request.id)) };
    },
    (begun) => change(action, begun),
  );
}

const NEXT_STEP: Readonly<Record<DataRequest['state'], string>> = {
  counting: 'wait until its data is counted',
  counted: 'try again',
  exporting: 'wait until the export is ready, or cancel the request',
  erasing: 'it can no longer be changed',
  purging: 'it can no longer be changed',
  erased: 'file a new request',
  canceled: 'file a new request',
};

async function findRequest(ctx: Context, requestId: number): Promise<DataRequest> {
  const request = await ctx.stores.dataRequests.find(ctx.organization.id, requestId);
  if (!request) throw notFound(`There is no data request ${requestId}`);
  return request;
}

/** Without what the person is called by: the audit log is kept for longer than the request. */
const change = (action: AuditedChange['action'], request: DataRequest): AuditedChange => ({
  action,
  target: { kind: 'data_request', id: request.id, name: `#${request.id}` },
  data: { identifiers: request.identifierHashes.map(({ kind }) => kind) },
});

/**
 * A page of the requests of every organization, deleted ones included: the newest, or those before the request `beforeId`; fewer
 * than `DATA_REQUESTS_LISTED_MAX` for the last page. Throws Forbidden for everybody but the instance's owner.
 */
export async function listAllDataRequests(
  ctx: Pick<Context, 'actor' | 'stores'>,
  beforeId: number | null,
): Promise<readonly DataRequest[]> {
  if (!isInstanceOwner(ctx))
    throw forbidden('Only the owner of this instance can see requests of all organizations');
  return ctx.stores.dataRequests.listAll(DATA_REQUESTS_LISTED_MAX, beforeId);
}

/** How long a request waits for somebody to go on with it. */
export const IDLE_DAYS = 14;
/** How long an export can be downloaded. */
export const EXPORT_DAYS = 7;
const EXPIRED_PER_RUN_MAX = 100;

/** Deletes exports that are past their time, and forgets requests that nobody went on with. */
export async function expireDataRequests(stores: Context['stores'], nowMs: number): Promise<number> {
  const { dataRequests, exportFiles, personRows } = stores;
  await dataRequests.cancelIdle(nowMs - IDLE_DAYS * DAY_MS, nowMs);
  for (const id of await dataRequests.filterOver(await personRows.listNoted())) await personRows.forget(id);
  const expired = await dataRequests.listExpired(nowMs, EXPIRED_PER_RUN_MAX);
  for (const { id } of expired) {
    await exportFiles.delete(id);
    await dataRequests.forgetExport(id);
  }
  return expired.length;
}
