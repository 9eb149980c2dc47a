import { parseEventId } from '#protocol/event-id.ts';
import { parseLevel } from '#protocol/level.ts';
import type { DigestedFeedback } from '#protocol/telemetry.ts';
import { accepted, type DigestItem, discarded, type ItemContext, type ItemResult } from '../item.ts';
import { objectOf, type Source } from '../normalize/field-reader.ts';
import { normalizeOtherEvent } from '../normalize/normalize-event.ts';
import { trimmedText } from '../normalize/safe-text.ts';
import { parseJson } from '../parse-json.ts';
import { originOf, parseTraceId } from '../telemetry/row-identity.ts';
import { feedbackEvent } from './feedback-event.ts';

/** Message of a feedback; the rest is cut, as in Relay. */
const FEEDBACK_MESSAGE_CHARS_MAX = 4_096;
/** Name, email address, release, environment and platform of a feedback, each. */
const FEEDBACK_NAME_CHARS_MAX = 256;
/** URL of a feedback. */
const FEEDBACK_URL_CHARS_MAX = 2_048;

/** What Unreal's crash reporter writes where nobody was asked: no feedback of anybody. */
const UNATTENDED_MESSAGE = 'Sent in unattended mode';

/**
 * Understands feedback that a user wrote: an event with `contexts.feedback`, normalized, filtered and scrubbed like one.
 * Sources: https://develop.sentry.dev/sdk/data-model/envelope-items/#user-feedback;
 * relay-event-schema/src/protocol/contexts/user_report_v2.rs.
 */
export const digestFeedback: DigestItem = (item, context) => {
  const parsed = parseJson(item.payload);
  if (parsed.kind === 'unparseable') return discarded('feedback', 'invalid_json');
  const sent = parsed.value;
  const event = normalizeOtherEvent(sent, { bytes: item.payload, unsafeText: parsed.unsafeText, ...context });

  const message = trimmedText(event.contexts?.feedback?.message, FEEDBACK_MESSAGE_CHARS_MAX);
  if (message === null) return discarded('feedback', 'missing_message');
  if (message === UNATTENDED_MESSAGE) return discarded('feedback', 'unattended', 'filtered');
  const filter = context.rules.filters.filterEvent(event, context);
  if (filter !== null) return discarded('feedback', filter, 'filtered');

  const payload = context.rules.scrubber.scrubRecord('feedback', {
    ...event,
    type: 'feedback',
    level: parseLevel(sent.level) ?? 'info',
    contexts: { ...event.contexts, feedback: { ...event.contexts?.feedback, message } },
  });
  return resultOf(
    'feedback',
    rowOf(event.event_id, Math.round(event.timestamp * 1000), payload, context),
    context,
  );
};

/** The row, and the event of the issue that it makes. */
const resultOf = (
  category: 'feedback' | 'user_report_v2',
  row: DigestedFeedback,
  context: ItemContext,
): ItemResult => ({
  ...accepted(category, { feedback: [row] }),
  events: [feedbackEvent(row, context)],
});

/** The fields that pages list, from what is left after scrubbing. */
function rowOf(
  feedbackId: string,
  occurredAt: number,
  payload: Source,
  context: ItemContext,
): DigestedFeedback {
  const contexts = objectOf(payload.contexts);
  const feedback = objectOf(contexts.feedback);
  const user = objectOf(payload.user);
  return {
    ...originOf(context),
    feedbackId,
    source: 'feedback',
    occurredAt,
    message: trimmedText(feedback.message, FEEDBACK_MESSAGE_CHARS_MAX) ?? '',
    name: trimmedText(feedback.name, FEEDBACK_NAME_CHARS_MAX),
    email:
      trimmedText(feedback.contact_email, FEEDBACK_NAME_CHARS_MAX) ??
      trimmedText(user.email, FEEDBACK_NAME_CHARS_MAX),
    url:
      trimmedText(feedback.url, FEEDBACK_URL_CHARS_MAX) ??
      trimmedText(objectOf(payload.request).url, FEEDBACK_URL_CHARS_MAX),
    associatedEventId: parseEventId(feedback.associated_event_id),
    replayId: parseEventId(feedback.replay_id) ?? parseEventId(objectOf(contexts.replay).replay_id),
    traceId: parseTraceId(objectOf(contexts.trace).trace_id),
    release: trimmedText(payload.release, FEEDBACK_NAME_CHARS_MAX),
    environment: trimmedText(payload.environment, FEEDBACK_NAME_CHARS_MAX),
    platform: trimmedText(payload.platform, FEEDBACK_NAME_CHARS_MAX) ?? 'other',
    payload,
  };
}

/**
 * Understands what a user wrote about one error, in the form of older SDKs. Refused when it names no event or says nothing.
 * Sources: relay-event-schema/src/protocol/user_report.rs; `process_user_reports` in
 * relay-server/src/services/processor/report.rs.
 */
export const digestUserReport: DigestItem = (item, context) => {
  const parsed = parseJson(item.payload);
  if (parsed.kind === 'unparseable') return discarded('user_report_v2', 'invalid_json');
  const sent = parsed.value;
  const eventId = parseEventId(sent.event_id) ?? parseEventId(context.envelopeEventId);
  if (eventId === null) return discarded('user_report_v2', 'missing_event_id');
  const message = trimmedText(sent.comments, FEEDBACK_MESSAGE_CHARS_MAX);
  if (message === null) return discarded('user_report_v2', 'missing_message');
  if (message === UNATTENDED_MESSAGE) return discarded('user_report_v2', 'unattended', 'filtered');

  const payload = context.rules.scrubber.scrubRecord('feedback', {
    type: 'user_report',
    event_id: eventId,
    contexts: {
      feedback: {
        message,
        name: trimmedText(sent.name, FEEDBACK_NAME_CHARS_MAX),
        contact_email: trimmedText(sent.email, FEEDBACK_NAME_CHARS_MAX),
        associated_event_id: eventId,
        source: 'user_report',
      },
    },
  });
  const row: DigestedFeedback = {
    ...rowOf(item.itemId, context.receivedAtMs, payload, context),
    source: 'user_report',
    associatedEventId: eventId,
  };
  return resultOf('user_report_v2', row, context);
};
