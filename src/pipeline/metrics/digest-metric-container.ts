import type { DigestedMetric } from '#protocol/telemetry.ts';
import type { ItemFacts } from '../filter/filters.ts';
import { type DigestItem, type ItemContext, NOTHING } from '../item.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';
import { ENVIRONMENT_CHARS_MAX, RELEASE_CHARS_MAX } from '../normalize/limits.ts';
import { cutText } from '../normalize/safe-text.ts';
import { AttributeSet, attributesOf, attributeText } from '../telemetry/attributes.ts';
import { microsecondsOf, placeInTime, TIMESTAMP_PROBLEM } from '../telemetry/clock.ts';
import {
  addSenderFacts,
  type ContainerSettings,
  filterFactsOf,
  OutcomeTally,
  readContainer,
} from '../telemetry/container.ts';
import { originOf, parseSpanId, parseTraceId, rowIdOf } from '../telemetry/row-identity.ts';
import { readMetricName, readUnit } from './parse-statsd-line.ts';

/**
 * Understands a container of metrics, `application/vnd.sentry.items.trace-metric+json`.
 * Sources: https://develop.sentry.dev/sdk/telemetry/metrics/, relay-event-schema/src/protocol/trace_metric.rs.
 */
export const digestMetricContainer: DigestItem = (item, context) => {
  const container = readContainer(item, 'trace_metric');
  if (container.kind === 'refused') return container.result;
  const tally = new OutcomeTally('trace_metric');
  const metrics: DigestedMetric[] = [];
  for (const [index, element] of container.elements.entries()) {
    const rowId = rowIdOf(item.itemId, index);
    const read = readMetric(element, rowId, container.unsafeText, container.settings, context);
    if (read.kind === 'invalid') {
      tally.count('invalid', read.reason);
      continue;
    }
    const { metric, facts } = read;
    const filter = context.rules.filters.filterSender(facts, context);
    tally.count(filter === null ? 'accepted' : 'filtered', filter ?? '');
    if (filter === null) metrics.push(metric);
  }
  tally.count('invalid', 'too_many_items', container.tooMany);
  return { ...NOTHING, rows: { metrics }, outcomes: tally.outcomes };
};

type ReadMetric =
  | { kind: 'metric'; metric: DigestedMetric; facts: ItemFacts }
  | { kind: 'invalid'; reason: 'invalid_trace_metric' | 'timestamp' };

function readMetric(
  sent: unknown,
  rowId: string,
  unsafeText: boolean,
  settings: ContainerSettings,
  context: ItemContext,
): ReadMetric {
  if (!isSource(sent)) return { kind: 'invalid', reason: 'invalid_trace_metric' };
  const { scrubber } = context.rules;
  // Before it is written anew: what made a secret known may be lost then.
  const name = readMetricName(scrubber.scrubKnown(sent.name));
  const type = typeOf(sent);
  const { value } = sent;
  if (name === null || type === null || typeof value !== 'number' || !Number.isFinite(value)) {
    return { kind: 'invalid', reason: 'invalid_trace_metric' };
  }
  const sentAtUs = microsecondsOf(sent.timestamp);
  if (sentAtUs === null) return { kind: 'invalid', reason: 'timestamp' };

  const collected = new AttributeSet(unsafeText);
  collected.addTyped(sent.attributes);
  const { shiftUs, problem } = placeInTime(sentAtUs, context);
  if (problem !== null) collected.set(TIMESTAMP_PROBLEM, problem);
  addSenderFacts(collected, context, {
    ip: settings.inferIp,
    userAgent: settings.inferUserAgent ?? false,
  });
  const scrubbed = scrubber.scrubRecord('metric', { name, attributes: collected.toRecord() });
  const attributes = attributesOf(scrubbed.attributes);
  const column = (key: string, charsMax: number): string | null =>
    cutText((attributeText(attributes, key) ?? '').trim(), charsMax) || null;
  const metric: DigestedMetric = {
    ...originOf(context),
    rowId,
    occurredAtUs: sentAtUs + shiftUs,
    name,
    type,
    unit: readUnit(scrubber.scrubKnown(sent.unit)),
    value,
    traceId: parseTraceId(sent.trace_id),
    spanId: parseSpanId(sent.span_id),
    source: 'trace_metric',
    release: column('sentry.release', RELEASE_CHARS_MAX),
    environment: column('sentry.environment', ENVIRONMENT_CHARS_MAX),
    attributes,
  };
  return { kind: 'metric', metric, facts: filterFactsOf(collected, metric.release) };
}

function typeOf(sent: Source): 'counter' | 'gauge' | 'distribution' | null {
  const { type } = sent;
  return type === 'counter' || type === 'gauge' || type === 'distribution' ? type : null;
}
