import { type DigestItem, discarded, type ItemContext, NOTHING } from '../item.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';
import { toSafeText } from '../normalize/safe-text.ts';
import { AttributeSet } from '../telemetry/attributes.ts';
import { microsecondsOfNanos } from '../telemetry/clock.ts';
import { OutcomeTally } from '../telemetry/container.ts';
import { ELEMENTS_MAX } from '../telemetry/limits.ts';
import {
  plainEntries,
  plainOfOtlpValue,
  readOtlpGroups,
  readSharedAttributes,
  SharedCopies,
} from '../telemetry/otlp.ts';
import { RowCollector } from '../telemetry/row-collector.ts';
import { parseSpanId, parseTraceId } from '../telemetry/row-identity.ts';
import { judgeLog, type LogFacts, readSeverity } from './judge-log.ts';

/** Understands the body of a request to an OTLP logs endpoint, JSON or protobuf. */
export const digestOtlpLogs: DigestItem = (item, context) => {
  const groups = readOtlpGroups(item, 'logs');
  if (groups === null) return discarded('log_item', 'invalid_otlp');
  const tally = new OutcomeTally('log_item');
  const collector = new RowCollector(judgeLog, context, item.itemId, tally, { ip: false, userAgent: false });
  const copies = new SharedCopies(item.payload.length);
  let index = 0;
  for (const group of groups) {
    const shared = readSharedAttributes(group);
    const left = Math.max(0, ELEMENTS_MAX - index);
    for (const element of group.elements.slice(0, left)) {
      if (!isSource(element)) tally.count('invalid', 'invalid_log');
      else
        collector.take(
          readRecord(element, context, (set) => copies.addTo(set, shared)),
          index,
        );
      index += 1;
    }
    tally.count('invalid', 'too_many_items', group.elements.length - left);
  }
  if (tally.outcomes.length === 0) return discarded('log_item', 'no_data');
  return { ...NOTHING, rows: { logs: collector.rows }, outcomes: tally.outcomes };
};

/**
 * A record without a time is as old as its observation, or as its arrival. One without a body is an event: its name
 * stands for it. Source: relay-ourlogs/src/otel_to_sentry.rs.
 */
function readRecord(
  sent: Source,
  context: Pick<ItemContext, 'receivedAtMs'>,
  addShared: (attributes: AttributeSet) => void,
): LogFacts {
  const attributes = new AttributeSet(true);
  for (const [key, value] of plainEntries(sent.attributes)) attributes.set(key, value);
  const eventName = typeof sent.eventName === 'string' && sent.eventName !== '' ? sent.eventName : undefined;
  attributes.setMissing('event.name', eventName);
  attributes.setMissing('sentry.origin', 'auto.otlp.logs');
  addShared(attributes);
  const occurredAtUs =
    microsecondsOfNanos(sent.timeUnixNano) ??
    microsecondsOfNanos(sent.observedTimeUnixNano) ??
    context.receivedAtMs * 1_000;
  return {
    source: 'otlp',
    occurredAtUs,
    traceId: parseTraceId(sent.traceId),
    spanId: parseSpanId(sent.spanId),
    ...severityOf(sent),
    body: toSafeText(bodyOf(sent.body) ?? eventName ?? ''),
    attributes,
  };
}

function bodyOf(sent: unknown): string | undefined {
  const value = plainOfOtlpValue(sent);
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
}

/** The number by itself, or by name as `SEVERITY_NUMBER_INFO2`; the text when there is no number. */
function severityOf(sent: Source): Pick<LogFacts, 'level' | 'severityNumber'> {
  const named =
    typeof sent.severityNumber === 'string' && /^SEVERITY_NUMBER_([A-Z]+)([2-4]?)$/.exec(sent.severityNumber);
  if (named) {
    const first = readSeverity(named[1], undefined).severityNumber;
    return readSeverity(undefined, first + Number(named[2] || 1) - 1);
  }
  const byNumber = typeof sent.severityNumber === 'number' && sent.severityNumber >= 1;
  return readSeverity(byNumber ? undefined : sent.severityText, sent.severityNumber);
}
