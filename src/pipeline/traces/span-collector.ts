import type { Outcome } from '#protocol/outcome.ts';
import type { DigestedSpan } from '#protocol/telemetry.ts';
import type { ItemContext } from '../item.ts';
import type { AttributeSet } from '../telemetry/attributes.ts';
import { placeInTime } from '../telemetry/clock.ts';
import { filterFactsOf } from '../telemetry/filter-facts.ts';
import type { OutcomeTally } from '../telemetry/outcome-tally.ts';
import { addSenderFacts } from '../telemetry/sender-facts.ts';
import { buildSpan, type SpanFacts } from './build-span.ts';

/** Collects the spans that came by themselves in one item; each ends in one outcome. */
export class SpanCollector {
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
