import { type DigestItem, discarded, NOTHING } from '../item.ts';
import { parseJson } from '../parse-json.ts';
import { OutcomeTally } from '../telemetry/outcome-tally.ts';
import { readSpanV1 } from './read-span-v1.ts';
import { SpanCollector } from './span-collector.ts';

/** Understands one span that came by itself, as browsers of older SDKs send them (web vitals). */
export const digestSpan: DigestItem = (item, context) => {
  const parsed = parseJson(item.payload);
  if (parsed.kind === 'unparseable') return discarded('span', 'invalid_json');
  const tally = new OutcomeTally('span');
  const collector = new SpanCollector(context, tally, { ip: false, userAgent: false });
  collector.take(readSpanV1(parsed.value, 'span', parsed.unsafeText));
  return { ...NOTHING, rows: { spans: collector.spans }, outcomes: tally.outcomes };
};
