import type { Outcome } from '#protocol/outcome.ts';
import type { DigestedSpan } from '#protocol/telemetry.ts';
import { type DigestItem, discarded, type ItemContext, NOTHING } from '../item.ts';
import { isSource } from '../normalize/field-reader.ts';
import { parseJson } from '../parse-json.ts';
import type { AttributeSet } from '../telemetry/attributes.ts';
import { placeInTime } from '../telemetry/clock.ts';
import { addSenderFacts, filterFactsOf, OutcomeTally, readContainer } from '../telemetry/container.ts';
import { ELEMENTS_MAX } from '../telemetry/limits.ts';
import { readOtlpGroups, readSharedAttributes, SharedCopies } from '../telemetry/otlp.ts';
import { buildSpan, type SpanFacts } from './build-span.ts';
import { readOtlpSpan } from './read-otlp-span.ts';
import { readSpanV1, readSpanV2 } from './read-span.ts';

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

/** Understands one span that came by itself, as browsers of older SDKs send them (web vitals). */
export const digestSpan: DigestItem = (item, context) => {
  const parsed = parseJson(item.payload);
  if (parsed.kind === 'unparseable') return discarded('span', 'invalid_json');
  const tally = new OutcomeTally('span');
  const collector = new SpanCollector(context, tally, { ip: false, userAgent: false });
  collector.take(readSpanV1(parsed.value, 'span', parsed.unsafeText));
  return { ...NOTHING, rows: { spans: collector.spans }, outcomes: tally.outcomes };
};

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

/** Collects the spans that came by themselves in one item; each ends in one outcome. */
class SpanCollector {
  readonly spans: DigestedSpan[] = [];
  readonly #seen = new Set<string>();
  readonly #context: ItemContext;
  readonly #tally: OutcomeTally;
  readonly #infer: { ip: boolean; userAgent: boolean };

  constructor(context: ItemContext, tally: OutcomeTally, infer: { ip: boolean; userAgent: boolean }) {
    this.#context = context;
    this.#tally = tally;
    this.#infer = infer;
  }

  take(facts: SpanFacts): void {
    const { outcome, reason } = this.#judge(facts);
    this.#tally.count(outcome, reason);
  }

  #judge(facts: SpanFacts): { outcome: Outcome; reason: string } {
    addSenderFacts(facts.attributes, this.#context, this.#infer);
    const built = buildSpan(facts, null, this.#context, (startedAtUs) =>
      placeInTime(startedAtUs, this.#context),
    );
    if (built.kind === 'invalid') return { outcome: 'invalid', reason: built.reason };
    const { span } = built;
    // Ids are unique within a trace; the first of equal ones is kept, as its row would be replaced otherwise.
    const identity = `${span.traceId}:${span.spanId}`;
    if (this.#seen.has(identity)) return { outcome: 'invalid', reason: 'duplicate' };
    this.#seen.add(identity);
    const filter = this.#filterOf(span, facts.attributes);
    if (filter !== null) return { outcome: 'filtered', reason: filter };
    this.spans.push(span);
    return { outcome: 'accepted', reason: '' };
  }

  /** Spans of a segment that is known by name are judged like its transaction. */
  #filterOf({ release, segmentName }: DigestedSpan, attributes: AttributeSet): string | null {
    const { filters } = this.#context.rules;
    const facts = filterFactsOf(attributes, release);
    if (segmentName === '') return filters.filterSender(facts, this.#context);
    return filters.filterTransaction({ ...facts, name: segmentName }, this.#context);
  }
}
