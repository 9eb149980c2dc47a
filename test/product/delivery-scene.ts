import type { SendJob, SendResult } from '#delivery/ports/destination-sender.ts';
import type { MailMessage, MailResult } from '#delivery/ports/mailer.ts';
import type { Receiver } from '#domain/alerts/who-is-notified.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import { createSecretBox } from '#lib/secret-box.ts';
import type { DeliveryParts } from '#product/deliveries/delivery-parts.ts';
import { type DeliveryFate, sendDelivery, takeDue } from '#product/deliveries/send-delivery.ts';
import { joinDeliveries } from '#product/deliveries/store/join-deliveries.ts';
import type { DestinationKind } from '#product/destinations/destination-kinds.ts';
import { createUnsubscribeLinks } from '#product/notifications/unsubscribe-links.ts';
import { insertFiring, insertRule } from '../contract/alert-scene.ts';
import { hashOf } from '../contract/sample-events.ts';
import { type NewEvent, openProduct, PUBLIC_URL } from './open-product.ts';

/** A product with an organization whose alerts fire as a test says, and what leaves it. */
export async function openDeliveryScene() {
  const product = await openProduct();
  const { stores, clock, db } = product;
  const organization = await product.createOrganization();
  const organizationId = organization.id;
  const shop = await product.createProject(organization, 'shop');
  const posted: SendJob[] = [];
  const mailed: MailMessage[] = [];
  const answers = {
    post: { kind: 'sent', status: 200 } as SendResult,
    mail: { kind: 'sent' } as MailResult,
    isMailConfigured: true,
  };
  const parts: DeliveryParts = {
    stores,
    now: () => clock.nowMs,
    publicUrl: PUBLIC_URL,
    destinationSender: {
      async send(job) {
        posted.push(job);
        return answers.post;
      },
    },
    mailer: {
      get isConfigured() {
        return answers.isMailConfigured;
      },
      async send(mail) {
        mailed.push(mail);
        return answers.mail;
      },
      close() {},
    },
    unsubscribeLinks: createUnsubscribeLinks(createSecretBox('x'.repeat(32), 'unsubscribe'), PUBLIC_URL),
    faults: parseFaultPoints(null),
  };
  const ruleId = await insertRule(db, { organizationId, projectId: shop.id }, { name: 'New in shop' });
  let destinations = 0;

  const newDestination = async (
    kind: DestinationKind = 'slack',
  ): Promise<Receiver & { kind: 'destination' }> => {
    const secret = { url: 'https://hooks.example.com/x', signingSecret: 'x'.repeat(20) };
    const draft = { kind, name: `Destination ${++destinations}`, config: {}, secret };
    const { id } = await stores.destinations.add(organizationId, draft, null, clock.nowMs);
    return { kind: 'destination', destinationId: id };
  };

  /** An issue with its events; answers its id and the id of its newest event. */
  async function newIssue(name: string, events: readonly Partial<NewEvent>[] = [{}], projectId = shop.id) {
    const made = await product.ingest(
      organization,
      events.map((event) => ({
        projectId,
        title: name,
        groupingHash: hashOf(name),
        occurredAt: clock.nowMs,
        ...event,
      })),
    );
    const issue = await stores.issues.findByHash(organizationId, projectId, hashOf(name));
    return { issue: issue!, eventId: made.at(-1)!.eventId };
  }

  async function fire(
    receiver: Receiver,
    firing: Parameters<typeof insertFiring>[2],
    rule: { projectId: number; ruleId: number } = { projectId: shop.id, ruleId },
  ): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      const told = { firedAt: clock.nowMs, ...firing };
      const firingId = await insertFiring(transaction, { organizationId, ...rule }, told);
      await joinDeliveries(transaction, [{ firingId, organizationId, receiver }], clock.nowMs);
    });
  }

  /** Whatever is due now, one after the other. */
  async function sendDue(): Promise<readonly DeliveryFate[]> {
    const fates: DeliveryFate[] = [];
    for (const delivery of await takeDue(parts, 50)) fates.push(await sendDelivery(parts, delivery));
    return fates;
  }

  const log = () =>
    stores.deliveries.list(
      organizationId,
      { destinationId: null, ruleId: null, seenIn: null },
      { limit: 50, before: null },
    );

  return {
    ...product,
    organization,
    shop,
    parts,
    posted,
    mailed,
    answers,
    ruleId,
    newDestination,
    newIssue,
    fire,
    sendDue,
    log,
  };
}

export type DeliveryScene = Awaited<ReturnType<typeof openDeliveryScene>>;
