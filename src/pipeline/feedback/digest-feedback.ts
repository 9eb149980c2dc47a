import { parseEventId } from '#protocol/event-id.ts';
import { parseLevel } from '#protocol/level.ts';
import type { DigestedFeedback } from '#protocol/telemetry.ts';
import { accepted, type DigestItem, discarded, type ItemContext } from '../item.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';
import { normalizeEvent } from '../normalize/normalize-event.ts';
import { cutText } from '../normalize/safe-text.ts';
import { parseJson } from '../parse-json.ts';
import { originOf } from '../telemetry/row-identity.ts';
import { parseTraceId } from '../telemetry/trace-ids.ts';
import {
  FEEDBACK_MESSAGE_CHARS_MAX,
  FEEDBACK_NAME_CHARS_MAX,
  FEEDBACK_URL_CHARS_MAX,
  UNATTENDED_MESSAGE,
} from './feedback-limits.ts';

/** Fields of errors: a feedback has no use for them. */
const ERROR_FIELDS = ['exception', 'stacktrace', 'threads', 'logentry', 'message', 'fingerprint'] as const;

/**
 * Understands feedback that a user wrote: an event with `contexts.feedback`, normalized, filtered and scrubbed like one.
 * Sources: https://develop.sentry.dev/sdk/data-model/envelope-items/#user-feedback;
 * relay-event-schema/src/protocol/contexts/user_report_v2.rs.
 */
export const digestFeedback: DigestItem = (item, context) => {
  const parsed = parseJson(item.payload);
  if (parsed.kind === 'unparseable') return discarded('feedback', 'invalid_json');
  const sent: Record<string, unknown> = { ...parsed.value };
  for (const key of ERROR_FIELDS) delete sent[key];
  const event = normalizeEvent(sent, { bytes: item.payload, unsafeText: parsed.unsafeText, ...context });

  const message = textOf(event.contexts?.feedback?.message, FEEDBACK_MESSAGE_CHARS_MAX);
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
  return accepted('feedback', {
    feedback: [rowOf(event.event_id, Math.round(event.timestamp * 1000), payload, context)],
  });
};

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
    message: textOf(feedback.message, FEEDBACK_MESSAGE_CHARS_MAX) ?? '',
    name: textOf(feedback.name, FEEDBACK_NAME_CHARS_MAX),
    email:
      textOf(feedback.contact_email, FEEDBACK_NAME_CHARS_MAX) ?? textOf(user.email, FEEDBACK_NAME_CHARS_MAX),
    url:
      textOf(feedback.url, FEEDBACK_URL_CHARS_MAX) ??
      textOf(objectOf(payload.request).url, FEEDBACK_URL_CHARS_MAX),
    associatedEventId: parseEventId(feedback.associated_event_id),
    replayId: parseEventId(feedback.replay_id) ?? parseEventId(objectOf(contexts.replay).replay_id),
    traceId: parseTraceId(objectOf(contexts.trace).trace_id),
    release: textOf(payload.release, FEEDBACK_NAME_CHARS_MAX),
    environment: textOf(payload.environment, FEEDBACK_NAME_CHARS_MAX),
    platform: textOf(payload.platform, FEEDBACK_NAME_CHARS_MAX) ?? 'other',
    payload,
  };
}

const objectOf = (value: unknown): Source => (isSource(value) ? value : {});

/** Trimmed and cut; null when it is no text, or empty. */
function textOf(value: unknown, charsMax: number): string | null {
  if (typeof value !== 'string') return null;
  return cutText(value.trim(), charsMax) || null;
}
