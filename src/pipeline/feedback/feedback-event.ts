import { type DigestedEvent, FEEDBACK_TYPE, type NormalizedEvent } from '#protocol/event.ts';
import type { DigestedFeedback } from '#protocol/telemetry.ts';
import { buildEvent } from '../build-event.ts';
import { groupEvent } from '../grouping/group-event.ts';
import type { ItemContext } from '../item.ts';
import { isSource } from '../normalize/field-reader.ts';
import { isTag, objectAt, textAt } from '../traces/transaction-row.ts';

/**
 * The event of the issue that a feedback makes, each its own: it is assigned, resolved, searched and alerted like others.
 * It is made from the row, so that nothing is in it that was scrubbed, and has the ID of the feedback, under which its
 * attachments came.
 */
export function feedbackEvent(row: DigestedFeedback, context: ItemContext): DigestedEvent {
  const { payload: sent } = row;
  const user = objectAt(sent, 'user');
  const contexts = Object.entries(objectAt(sent, 'contexts')).filter(
    (entry): entry is [string, Record<string, unknown>] => isSource(entry[1]),
  );
  const { feedback } = Object.fromEntries(contexts);
  const payload: NormalizedEvent = {
    event_id: row.feedbackId,
    type: FEEDBACK_TYPE,
    level: 'info',
    platform: row.platform,
    timestamp: row.occurredAt / 1_000,
    received: row.receivedAt / 1_000,
    fingerprint: [FEEDBACK_TYPE, row.feedbackId],
    logentry: { formatted: row.message },
    culprit: row.url,
    release: row.release,
    dist: textAt(sent, 'dist'),
    environment: row.environment,
    tags: (Array.isArray(sent.tags) ? sent.tags : []).filter(isTag),
    contexts: {
      ...Object.fromEntries(contexts),
      feedback: { ...feedback, name: row.name, contact_email: row.email },
    },
    user: {
      ...user,
      email: textAt(user, 'email') ?? row.email,
    },
    ...(isSource(sent.request) && { request: sent.request }),
    ...(isSource(sent.sdk) && { sdk: sent.sdk }),
  };
  return buildEvent(payload, groupEvent(payload, context.rules.grouping), context);
}
