import type { Organization } from '#domain/projects.ts';
import { parseBoundedJson } from '#lib/bounded-json.ts';
import { ErrataError, invalid, notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import type { Services } from '#product/services.ts';
import type { Tracker } from '../tracker-store.ts';
import { applyHookEvent } from './apply-hook-event.ts';
import { readHook } from './read-hook.ts';
import { isSigned, type RawHook, verifyHook } from './verify-hook.ts';

export type HookResult =
  | 'applied'
  /** It is of nothing that concerns issues here. */
  | 'ignored'
  /** The same message was taken before. */
  | 'repeated';

/** Where a message belongs, as the address of the webhook has it. */
export type HookPlace = { organization: Organization; tracker: Tracker; hookSecret: string };

type HookParts = Pick<Services, 'stores' | 'now' | 'publicUrl'>;

/**
 * Looks before the body is read, which nobody sends who is not expected. An organization is found by its former slug
 * too: nobody changes the address at the tracker when one is renamed. Throws NotFound, and Unauthorized for a message
 * without a signature.
 */
export async function findHookPlace(
  { stores }: Pick<HookParts, 'stores'>,
  address: { organizationSlug: string; kind: string; tracker: string },
  headers: RawHook['headers'],
): Promise<HookPlace> {
  const trackerId = /^\d{1,15}$/.test(address.tracker) ? Number(address.tracker) : 0;
  const organization =
    (await stores.projects.findOrganization(address.organizationSlug)) ??
    (await stores.organizations.findByFormerSlug(address.organizationSlug));
  const tracker = organization && (await stores.trackers.find(organization.id, trackerId));
  if (!organization || !tracker || tracker.kind !== address.kind) throw unknown();
  if (!isSigned(tracker.kind, headers)) {
    throw new ErrataError('unauthorized', "The message is not signed: set the webhook's secret");
  }
  const reading = await stores.trackers.readSecrets(organization.id, trackerId);
  if (reading.kind !== 'read') throw unknown();
  return { organization, tracker, hookSecret: reading.secrets.hookSecret };
}

/**
 * Takes a message of a tracker. It is remembered once all of it is done, step by step, each of which may be repeated: a
 * message that broke off is simply sent again. Throws Unauthorized for one that is not signed with the secret, Invalid.
 */
export async function acceptHook(
  { stores, now, publicUrl }: HookParts,
  { organization, tracker, hookSecret }: HookPlace,
  hook: RawHook,
): Promise<HookResult> {
  const verified = verifyHook(tracker.kind, hook, hookSecret, now());
  if (verified.kind === 'refused') throw new ErrataError('unauthorized', verified.reason);
  const event = readHook(tracker.kind, verified.event, parseBody(hook));
  const { trackers } = stores;
  if (await trackers.knowsHook(organization.id, tracker.id, verified.deliveryIds)) return 'repeated';
  if (event) {
    const ctx: Context = { stores, organization, actor: { kind: 'system' }, now, publicUrl };
    await applyHookEvent(ctx, tracker, event);
  }
  await trackers.rememberHook(organization.id, tracker.id, verified.deliveryIds, now());
  return event ? 'applied' : 'ignored';
}

const unknown = () => notFound('Tracker not found: copy its webhook URL from the integration settings again');

/** GitHub's other content type holds the same JSON in a field. */
function parseBody({ headers, body }: RawHook): unknown {
  const text = Buffer.from(body).toString('utf8');
  const isForm = headers.get('content-type')?.startsWith('application/x-www-form-urlencoded');
  try {
    return parseBoundedJson((isForm && new URLSearchParams(text).get('payload')) || text);
  } catch {
    throw invalid("The body is not JSON: set the webhook's content type to application/json");
  }
}
