import { type DigestItem, discarded, type ItemContext, NOTHING } from '../item.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';
import { AttributeSet } from '../telemetry/attributes.ts';
import { microsecondsOfNanos } from '../telemetry/clock.ts';
import { OutcomeTally } from '../telemetry/container.ts';
import { ELEMENTS_MAX } from '../telemetry/limits.ts';
import { plainEntries, readOtlpGroups, readSharedAttributes, SharedCopies } from '../telemetry/otlp.ts';
import { RowCollector } from '../telemetry/row-collector.ts';
import { judgeMetric } from './judge-metric.ts';
import { type PointValue, readOtlpMetric } from './read-otlp-metric.ts';

/** Understands the body of a request to an OTLP metrics endpoint, JSON or protobuf. */
export const digestOtlpMetrics: DigestItem = (item, context) => {
  const groups = readOtlpGroups(item, 'metrics');
  if (groups === null) return discarded('trace_metric', 'invalid_otlp');
  const tally = new OutcomeTally('trace_metric');
  const collector = new RowCollector(judgeMetric, context, item.itemId, tally, {
    ip: false,
    userAgent: false,
  });
  const copies = new SharedCopies(item.payload.length);
  let index = 0;
  for (const group of groups) {
    const shared = readSharedAttributes(group);
    for (const element of group.elements) {
      const values = isSource(element) ? readOtlpMetric(element) : null;
      if (values === null) {
        tally.count('invalid', 'invalid_trace_metric');
        continue;
      }
      for (const value of values) {
        if (index === ELEMENTS_MAX) {
          tally.count('invalid', 'too_many_items');
          continue;
        }
        const attributes = attributesOf(value);
        copies.addTo(attributes, shared);
        collector.take({ ...value, ...placeOf(value.point, context), source: 'otlp', attributes }, index);
        index += 1;
      }
    }
  }
  if (tally.outcomes.length === 0) return discarded('trace_metric', 'no_data');
  return { ...NOTHING, rows: { metrics: collector.rows }, outcomes: tally.outcomes };
};

/** A point without a time is as old as its arrival. The traces of its exemplars are not those of the value. */
const placeOf = (point: Source, { receivedAtMs }: Pick<ItemContext, 'receivedAtMs'>) => ({
  occurredAtUs: microsecondsOfNanos(point.timeUnixNano) ?? receivedAtMs * 1_000,
  traceId: null,
  spanId: null,
});

function attributesOf({ point, extra }: PointValue): AttributeSet {
  const attributes = new AttributeSet(true);
  for (const [key, value] of plainEntries(point.attributes)) attributes.set(key, value);
  for (const [key, value] of Object.entries(extra)) attributes.set(key, value);
  attributes.setMissing('sentry.origin', 'auto.otlp.metrics');
  return attributes;
}
