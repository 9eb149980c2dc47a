import { type DigestItem, discarded, NOTHING } from '../item.ts';
import { isSource } from '../normalize/field-reader.ts';
import { ELEMENTS_MAX } from '../telemetry/limits.ts';
import { readOtlpGroups } from '../telemetry/otlp-groups.ts';
import { readSharedAttributes, SharedCopies } from '../telemetry/otlp-shared-attributes.ts';
import { OutcomeTally } from '../telemetry/outcome-tally.ts';
import { readOtlpSpan } from './read-otlp-span.ts';
import { SpanCollector } from './span-collector.ts';

/** Understands the body of a request to an OTLP traces endpoint, JSON or protobuf. */
export const digestOtlpTraces: DigestItem = (item, context) => {
  const groups = readOtlpGroups(item, 'traces');
  if (groups === null) return discarded('span', 'invalid_otlp');
  const tally = new OutcomeTally('span');
  const collector = new SpanCollector(context, tally, { ip: false, userAgent: false });
  const copies = new SharedCopies(item.payload.length);
  let left = ELEMENTS_MAX;
  for (const group of groups) {
    const shared = readSharedAttributes(group);
    for (const element of group.elements.slice(0, left)) {
      if (!isSource(element)) tally.count('invalid', 'invalid_span');
      else collector.take(readOtlpSpan(element, (attributes) => copies.addTo(attributes, shared)));
    }
    tally.count('invalid', 'too_many_items', group.elements.length - left);
    left = Math.max(0, left - group.elements.length);
  }
  if (tally.outcomes.length === 0) return discarded('span', 'no_data');
  return { ...NOTHING, rows: { spans: collector.spans }, outcomes: tally.outcomes };
};
