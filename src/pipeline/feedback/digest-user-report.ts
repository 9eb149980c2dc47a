import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedFeedback } from '#protocol/telemetry.ts';
import { accepted, type DigestItem, discarded } from '../item.ts';
import { cutText, toSafeText } from '../normalize/safe-text.ts';
import { parseJson } from '../parse-json.ts';
import { originOf } from '../telemetry/row-identity.ts';
import {
  FEEDBACK_MESSAGE_CHARS_MAX,
  FEEDBACK_NAME_CHARS_MAX,
  UNATTENDED_MESSAGE,
} from './feedback-limits.ts';

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
  const message = textOf(sent.comments, FEEDBACK_MESSAGE_CHARS_MAX);
  if (message === null) return discarded('user_report_v2', 'missing_message');
  if (message === UNATTENDED_MESSAGE) return discarded('user_report_v2', 'unattended', 'filtered');

  const payload = context.rules.scrubber.scrubRecord('feedback', {
    type: 'user_report',
    event_id: eventId,
    contexts: {
      feedback: {
        message,
        name: textOf(sent.name, FEEDBACK_NAME_CHARS_MAX),
        contact_email: textOf(sent.email, FEEDBACK_NAME_CHARS_MAX),
        associated_event_id: eventId,
        source: 'user_report',
      },
    },
  });
  const feedback = (payload.contexts as { feedback?: Readonly<Record<string, unknown>> } | undefined)
    ?.feedback;
  const row: DigestedFeedback = {
    ...originOf(context),
    feedbackId: item.itemId,
    source: 'user_report',
    occurredAt: context.receivedAtMs,
    message: textOf(feedback?.message, FEEDBACK_MESSAGE_CHARS_MAX) ?? '',
    name: textOf(feedback?.name, FEEDBACK_NAME_CHARS_MAX),
    email: textOf(feedback?.contact_email, FEEDBACK_NAME_CHARS_MAX),
    url: null,
    associatedEventId: eventId,
    replayId: null,
    traceId: null,
    release: null,
    environment: null,
    platform: 'other',
    payload,
  };
  return accepted('user_report_v2', { feedback: [row] });
};

/** Trimmed and cut; null when it is no text, or empty. */
function textOf(value: unknown, charsMax: number): string | null {
  if (typeof value !== 'string') return null;
  return toSafeText(cutText(value.trim(), charsMax)) || null;
}
