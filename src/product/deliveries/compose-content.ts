import { composeActivity } from '#product/messages/compose-activity.ts';
import { composeAlert } from '#product/messages/compose-alert.ts';
import { alertMail, type MailDraft } from '#product/messages/compose-mail.ts';
import { composeReport } from '#product/messages/compose-report.ts';
import { counted } from '#product/messages/escape.ts';
import { formatMessage } from '#product/messages/format-message.ts';
import { formatClosing } from '#product/messages/formats/pagerduty.ts';
import type { MessageContent } from '#product/messages/message-content.ts';
import type { TakenDelivery } from './delivery.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import type { Reader } from './find-reader.ts';

/** What a delivery says; null when nothing of what it was about is left. */
export async function composeContent(
  { unsubscribeLinks, publicUrl }: Pick<DeliveryParts, 'unsubscribeLinks' | 'publicUrl'>,
  delivery: TakenDelivery,
  { ctx, projects, to }: Reader,
): Promise<MessageContent | null> {
  if (to.kind === 'destination') {
    const { kind } = to.destination;
    if (delivery.kind === 'closing') return composeClosing(delivery);
    const message = await composeAlert(ctx, delivery.firings, projects, kind === 'webhook');
    if (!message) return null;
    const parts = formatMessage(kind, message, delivery.id, publicUrl);
    return { summary: message.headline, kind: 'parts', parts };
  }
  const mail = await composeMailFor(to.userId);
  return mail && { summary: mail.subject, kind: 'mail', mail };

  async function composeMailFor(userId: string): Promise<MailDraft | null> {
    if (delivery.kind === 'activity') {
      return await composeActivity(ctx, { deliveryId: delivery.id, userId }, unsubscribeLinks);
    }
    if (delivery.kind === 'report') {
      const { subject } = delivery;
      if (subject.kind !== 'report') return null;
      return await composeReport(ctx, { userId, weekStart: subject.weekStart }, unsubscribeLinks);
    }
    const message = await composeAlert(ctx, delivery.firings, projects);
    const organizationId = delivery.organizationId;
    return message && alertMail(message, unsubscribeLinks.urlFor({ userId, organizationId, kind: 'alerts' }));
  }
}

function composeClosing({ subject }: TakenDelivery): MessageContent | null {
  if (subject.kind !== 'incidents') return null;
  const { incidents } = subject;
  const why = incidents.every(({ kind }) => kind === 'metric')
    ? 'the metric is no longer monitored'
    : `what ${incidents.length === 1 ? 'it' : 'they'} reported is resolved, archived, or deleted`;
  const summary = `Closes ${counted(incidents.length, 'incident')}: ${why}`;
  return { summary, kind: 'parts', parts: formatClosing(incidents) };
}
