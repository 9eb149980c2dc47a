import { type MessagePart, SEND_MS_MAX, type SendResult } from '#delivery/ports/destination-sender.ts';
import { MAIL_MS_MAX } from '#delivery/ports/mailer.ts';
import { ISSUES_NAMED_MAX, MAILS_PER_HOUR_MAX, METRICS_NAMED_MAX } from '#domain/alerts/delivery-budgets.ts';
import { isErrataError, messageOf } from '#lib/errors.ts';
import { limitConcurrency } from '#lib/limit-concurrency.ts';
import { UNREADABLE } from '#product/destinations/destinations.ts';
import type { Incident } from '#product/incidents/store/incidents.ts';
import type { FormattedPart, MessageContent } from '#product/messages/message-content.ts';
import { composeContent } from './compose-content.ts';
import type { TakenDelivery } from './delivery.ts';
import { type DeliveryParts, LEASE_MS, MAIL_LEASE_MS, RETRY_MS, SOON_MS } from './delivery-parts.ts';
import { findReader, type Reader } from './find-reader.ts';

/** What became of one try. */
export type DeliveryFate = { state: 'sent' | 'failed' | 'dropped' | 'later'; reason: string | null };

type Result = SendResult | { kind: 'nobody'; reason: string };

/**
 * One try of a message that was taken. Whatever ends the process on the way: the message is taken again once its lease
 * is over, with the same id and, once that was decided, the same content.
 */
export async function sendDelivery(parts: DeliveryParts, delivery: TakenDelivery): Promise<DeliveryFate> {
  parts.faults.reach('delivery-taken');
  // Whoever took it so often and never said what came of it did not live to: it must not go on like this.
  if (delivery.attempts > RETRY_MS.length + 1) {
    const reason = 'Giving up: every process that tried to send it exited';
    await noteResult(parts, delivery, reason);
    return await end('failed', reason);
  }
  try {
    const reader = await findReader(parts, delivery.organizationId, delivery.receiver);
    if (!reader) {
      return await end(
        'dropped',
        delivery.kind === 'reply' ? 'Its author is no longer a member' : 'The recipient no longer exists',
      );
    }
    const content = await decideContent(parts, delivery, reader);
    if (!content) return await end('dropped', 'The subject of the message no longer exists');
    parts.faults.reach('delivery-sealed');
    // Somebody else may send it once the lease is over: a try that could reach into that time is left to them.
    const timeMsMax = reader.to.kind === 'user' ? MAIL_MS_MAX : SEND_MS_MAX;
    if (parts.now() > delivery.leaseUntil - timeMsMax) return await putOff();
    const result = await send(parts, delivery, content, reader);
    parts.faults.reach('delivery-sent');
    const fate = await note(parts, delivery, result);
    parts.faults.reach('delivery-finished');
    return fate;
  } catch (error) {
    if (isErrataError(error) && error.code === 'unavailable') return await putOff();
    const reason = `The message could not be created: ${messageOf(error)}`;
    await noteResult(parts, delivery, reason);
    return await tryLater(parts, delivery, { reason, status: null, afterMs: null });
  }

  async function end(state: 'failed' | 'dropped', reason: string): Promise<DeliveryFate> {
    await parts.stores.deliveries.finish(delivery, state, { error: reason, status: null }, parts.now());
    return { state, reason };
  }

  async function putOff(): Promise<DeliveryFate> {
    await parts.stores.deliveries.postpone(delivery, parts.now() + SOON_MS, null);
    return { state: 'later', reason: null };
  }
}

/** Each may hold a whole event, and all of them together are to fit into the memory of jobs. */
const COMPOSED_AT_ONCE_MAX = 2;

const composeInLine = limitConcurrency(composeContent, COMPOSED_AT_ONCE_MAX);

async function decideContent(
  parts: DeliveryParts,
  delivery: TakenDelivery,
  reader: Reader,
): Promise<MessageContent | null> {
  // The database holds what this function wrote there.
  if (delivery.content !== null) return delivery.content as MessageContent;
  // A report holds no event and takes long: nobody stands in line behind it. Few are under way at a time.
  const compose = delivery.kind === 'report' ? composeContent : composeInLine;
  const content = await compose(parts, delivery, reader);
  if (!content) return null;
  const sealed = await parts.stores.deliveries.seal(delivery.id, content, openedBy(content));
  return sealed as MessageContent | null;
}

async function send(
  { stores, mailer, destinationSender }: DeliveryParts,
  { id, organizationId }: TakenDelivery,
  content: MessageContent,
  { to }: Reader,
): Promise<Result> {
  if (to.kind === 'user') {
    if (content.kind !== 'mail') return { kind: 'nobody', reason: 'The message is not an email' };
    const result = await mailer.send({ to: content.to ?? to.email, id, ...content.mail });
    if (result.kind === 'sent') return { kind: 'sent', status: 250 };
    if (result.isFinal) return { kind: 'refused', status: result.status ?? null, reason: result.reason };
    return { kind: 'try_later', status: null, reason: result.reason, afterMs: null };
  }
  if (content.kind !== 'parts') return { kind: 'nobody', reason: 'The message is an email' };
  const { destination } = to;
  const reading = await stores.destinations.readSecret(organizationId, destination.id);
  if (reading.kind === 'absent') return { kind: 'nobody', reason: 'The recipient no longer exists' };
  if (reading.kind === 'unreadable') return { kind: 'refused', status: null, reason: UNREADABLE };
  const parts = await keepTrue(stores, organizationId, content.parts);
  if (parts.length === 0) return { kind: 'nobody', reason: 'The message is no longer relevant' };
  const { kind, config } = destination;
  return await destinationSender.send({ kind, deliveryId: id, config, secret: reading.secret, parts });
}

/** They are closed when they are over, whatever became of the alerts they came from. */
const openedBy = (content: MessageContent): readonly Incident[] =>
  content.kind === 'parts'
    ? content.parts.flatMap(({ incident }) => (incident?.isOpen ? [incident.of] : []))
    : [];

/** A later try opens no incident of what is over by now, and closes none of what began again. */
async function keepTrue(
  { deliveries }: DeliveryParts['stores'],
  organizationId: number,
  parts: readonly FormattedPart[],
): Promise<readonly MessagePart[]> {
  const incidents = parts.flatMap(({ incident }) => incident?.of ?? []);
  const open = await deliveries.areOpen(organizationId, incidents);
  const isOpen = new Map(incidents.map((incident, index) => [incident, open[index]]));
  return parts
    .filter(({ incident }) => incident === undefined || isOpen.get(incident.of) === incident.isOpen)
    .map(({ incident: _, ...part }) => part);
}

async function note(parts: DeliveryParts, delivery: TakenDelivery, result: Result): Promise<DeliveryFate> {
  const { deliveries } = parts.stores;
  if (result.kind === 'busy') {
    await deliveries.postpone(delivery, parts.now() + SOON_MS, null);
    return { state: 'later', reason: null };
  }
  if (result.kind === 'nobody') {
    await deliveries.finish(delivery, 'dropped', { error: result.reason, status: null }, parts.now());
    return { state: 'dropped', reason: result.reason };
  }
  const error = result.kind === 'sent' ? null : result.reason;
  await noteResult(parts, delivery, error);
  if (result.kind === 'try_later') return await tryLater(parts, delivery, result);
  const state = result.kind === 'sent' ? 'sent' : 'failed';
  await deliveries.finish(delivery, state, { error, status: result.status }, parts.now());
  return { state, reason: error };
}

/** A destination fails from the first message that does not arrive until the next one that does. */
async function noteResult(
  { stores, now }: DeliveryParts,
  { organizationId, receiver }: TakenDelivery,
  error: string | null,
): Promise<void> {
  if (receiver.kind === 'user') return;
  await stores.destinations.noteResult(organizationId, receiver.destinationId, error, now());
}

async function tryLater(
  { stores, now }: DeliveryParts,
  delivery: TakenDelivery,
  { reason, status, afterMs }: { reason: string; status: number | null; afterMs: number | null },
): Promise<DeliveryFate> {
  const waitMs = RETRY_MS[delivery.attempts - 1];
  if (waitMs === undefined) {
    await stores.deliveries.finish(delivery, 'failed', { error: reason, status }, now());
    return { state: 'failed', reason };
  }
  await stores.deliveries.postpone(delivery, now() + Math.max(waitMs, afterMs ?? 0), {
    error: reason,
    status,
  });
  return { state: 'later', reason };
}

/** Messages that are due, at most so many, and so many of them mails and reports; whoever takes them sends each of them. */
export async function takeDue(
  { stores, now, faults }: Pick<DeliveryParts, 'stores' | 'now' | 'faults'>,
  limit: number,
  { mailsMax, reportsMax }: { mailsMax: number; reportsMax: number } = { mailsMax: limit, reportsMax: limit },
): Promise<readonly TakenDelivery[]> {
  const nowMs = now();
  faults.reach('delivery-take');
  return await stores.deliveries.take(nowMs, {
    leaseUntil: nowMs + LEASE_MS,
    mailLeaseUntil: nowMs + MAIL_LEASE_MS,
    limit,
    mailsMax,
    reportsMax,
    issuesMax: ISSUES_NAMED_MAX,
    metricsMax: METRICS_NAMED_MAX,
    mailsPerHourMax: MAILS_PER_HOUR_MAX,
  });
}
