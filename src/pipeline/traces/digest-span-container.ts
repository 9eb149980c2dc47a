import { type DigestItem, NOTHING } from '../item.ts';
import { isSource } from '../normalize/field-reader.ts';
import { readContainer } from '../telemetry/container.ts';
import { OutcomeTally } from '../telemetry/outcome-tally.ts';
import { readSpanV2 } from './read-span-v2.ts';
import { SpanCollector } from './span-collector.ts';

/** Understands a container of spans, `application/vnd.sentry.items.span.v2+json`. */
export const digestSpanContainer: DigestItem = (item, context) => {
  const container = readContainer(item, 'span');
  if (container.kind === 'refused') return container.result;
  const tally = new OutcomeTally('span');
  const collector = new SpanCollector(context, tally, {
    ip: container.settings.inferIp,
    userAgent: container.settings.inferUserAgent ?? false,
  });
  for (const element of container.elements) {
    if (isSource(element)) collector.take(readSpanV2(element, container.unsafeText));
    else tally.count('invalid', 'invalid_span');
  }
  tally.count('invalid', 'too_many_items', container.tooMany);
  return { ...NOTHING, rows: { spans: collector.spans }, outcomes: tally.outcomes };
};
