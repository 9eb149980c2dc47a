import { type DigestItem, NOTHING } from '../item.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';
import { AttributeSet } from '../telemetry/attributes.ts';
import { microsecondsOf } from '../telemetry/clock.ts';
import { OutcomeTally, readContainer } from '../telemetry/container.ts';
import { RowCollector } from '../telemetry/row-collector.ts';
import { parseSpanId, parseTraceId } from '../telemetry/row-identity.ts';
import { judgeMetric, type MetricFacts } from './judge-metric.ts';

/**
 * Understands a container of metrics, `application/vnd.sentry.items.trace-metric+json`.
 * Sources: https://develop.sentry.dev/sdk/telemetry/metrics/, relay-event-schema/src/protocol/trace_metric.rs.
 */
export const digestMetricContainer: DigestItem = (item, context) => {
  const container = readContainer(item, 'trace_metric');
  if (container.kind === 'refused') return container.result;
  const tally = new OutcomeTally('trace_metric');
  const collector = new RowCollector(judgeMetric, context, item.itemId, tally, {
    ip: container.settings.inferIp,
    userAgent: container.settings.inferUserAgent ?? false,
  });
  for (const [index, element] of container.elements.entries()) {
    if (isSource(element)) collector.take(readMetric(element, container.unsafeText), index);
    else tally.count('invalid', 'invalid_trace_metric');
  }
  tally.count('invalid', 'too_many_items', container.tooMany);
  return { ...NOTHING, rows: { metrics: collector.rows }, outcomes: tally.outcomes };
};

function readMetric(sent: Source, unsafeText: boolean): MetricFacts {
  const attributes = new AttributeSet(unsafeText);
  attributes.addTyped(sent.attributes);
  const { value } = sent;
  return {
    source: 'trace_metric',
    name: sent.name,
    type: typeOf(sent),
    unit: sent.unit,
    value: typeof value === 'number' && Number.isFinite(value) ? value : null,
    occurredAtUs: microsecondsOf(sent.timestamp),
    traceId: parseTraceId(sent.trace_id),
    spanId: parseSpanId(sent.span_id),
    attributes,
  };
}

function typeOf(sent: Source): 'counter' | 'gauge' | 'distribution' | null {
  const { type } = sent;
  return type === 'counter' || type === 'gauge' || type === 'distribution' ? type : null;
}
