import { type DigestItem, NOTHING } from '../item.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';
import { toSafeText } from '../normalize/safe-text.ts';
import { AttributeSet } from '../telemetry/attributes.ts';
import { microsecondsOf } from '../telemetry/clock.ts';
import { OutcomeTally, readContainer } from '../telemetry/container.ts';
import { RowCollector } from '../telemetry/row-collector.ts';
import { parseSpanId, parseTraceId } from '../telemetry/row-identity.ts';
import { judgeLog, type LogFacts, readSeverity } from './judge-log.ts';

/**
 * Understands a container of logs, `application/vnd.sentry.items.log+json`. SDKs that know no settings have the browser
 * of the request read, as in the reference.
 * Sources: https://develop.sentry.dev/sdk/telemetry/logs/, relay-event-schema/src/protocol/ourlog/.
 */
export const digestLogContainer: DigestItem = (item, context) => {
  const container = readContainer(item, 'log_item');
  if (container.kind === 'refused') return container.result;
  const tally = new OutcomeTally('log_item');
  const collector = new RowCollector(judgeLog, context, item.itemId, tally, {
    ip: container.settings.inferIp,
    userAgent: container.settings.inferUserAgent ?? true,
  });
  for (const [index, element] of container.elements.entries()) {
    if (isSource(element)) collector.take(readLog(element, container.unsafeText), index);
    else tally.count('invalid', 'invalid_log');
  }
  tally.count('invalid', 'too_many_items', container.tooMany);
  return { ...NOTHING, rows: { logs: collector.rows }, outcomes: tally.outcomes };
};

function readLog(sent: Source, unsafeText: boolean): LogFacts {
  const attributes = new AttributeSet(unsafeText);
  attributes.addTyped(sent.attributes);
  return {
    source: 'sentry',
    occurredAtUs: microsecondsOf(sent.timestamp),
    traceId: parseTraceId(sent.trace_id),
    spanId: parseSpanId(sent.span_id) ?? parseSpanId(attributes.get('sentry.trace.parent_span_id')),
    ...readSeverity(sent.level, sent.severity_number ?? attributes.get('sentry.severity_number')),
    body: bodyOf(sent.body, unsafeText),
    attributes,
  };
}

function bodyOf(sent: unknown, unsafeText: boolean): string | null {
  if (typeof sent === 'number' || typeof sent === 'boolean') return String(sent);
  if (typeof sent !== 'string') return null;
  return unsafeText ? toSafeText(sent) : sent;
}
