import type { Outcome } from '#protocol/outcome.ts';
import type { DigestedMetric } from '#protocol/telemetry.ts';
import type { ItemContext } from '../item.ts';
import { ENVIRONMENT_CHARS_MAX, RELEASE_CHARS_MAX } from '../normalize/limits.ts';
import { cutText } from '../normalize/safe-text.ts';
import { type AttributeSet, attributesOf, attributeText } from '../telemetry/attributes.ts';
import { placeInTime, TIMESTAMP_PROBLEM } from '../telemetry/clock.ts';
import { addSenderFacts, filterFactsOf, type OutcomeTally } from '../telemetry/container.ts';
import { originOf, rowIdOf } from '../telemetry/row-identity.ts';
import { readMetricName, readUnit } from './parse-statsd-line.ts';

/** One value of a metric of any format that has attributes, read but not yet judged. */
export type MetricFacts = {
  source: DigestedMetric['source'];
  /** As it was sent. */
  name: unknown;
  /** null when it is none that is known. */
  type: DigestedMetric['type'] | null;
  /** As it was sent. */
  unit: unknown;
  /** null when it is no finite number. */
  value: number | null;
  /** Microseconds since the epoch; null when it cannot be read. */
  occurredAtUs: number | null;
  traceId: string | null;
  spanId: string | null;
  attributes: AttributeSet;
};

/** Collects the metrics of one item; each ends in one outcome. */
export class MetricCollector {
  readonly metrics: DigestedMetric[] = [];
  readonly #context: ItemContext;
  readonly #itemId: string;
  readonly #tally: OutcomeTally;
  readonly #infer: { ip: boolean; userAgent: boolean };

  constructor(
    context: ItemContext,
    itemId: string,
    tally: OutcomeTally,
    infer: { ip: boolean; userAgent: boolean },
  ) {
    this.#context = context;
    this.#itemId = itemId;
    this.#tally = tally;
    this.#infer = infer;
  }

  /** `index` is the place in its item, which makes its identity. */
  take(facts: MetricFacts, index: number): void {
    const { outcome, reason } = this.#judge(facts, index);
    this.#tally.count(outcome, reason);
  }

  #judge(facts: MetricFacts, index: number): { outcome: Outcome; reason: string } {
    const { rules } = this.#context;
    const { type, value, occurredAtUs, attributes } = facts;
    // Before it is written anew: what made a secret known may be lost then.
    const name = readMetricName(rules.scrubber.scrubKnown(facts.name));
    if (name === null || type === null || value === null) {
      return { outcome: 'invalid', reason: 'invalid_trace_metric' };
    }
    if (occurredAtUs === null) return { outcome: 'invalid', reason: 'timestamp' };
    const { shiftUs, problem } = placeInTime(occurredAtUs, this.#context);
    if (problem !== null) attributes.set(TIMESTAMP_PROBLEM, problem);
    addSenderFacts(attributes, this.#context, this.#infer);
    const scrubbed = rules.scrubber.scrubRecord('metric', { name, attributes: attributes.toRecord() });
    const kept = attributesOf(scrubbed.attributes);
    const column = (charsMax: number, ...keys: readonly string[]): string | null =>
      cutText((attributeText(kept, ...keys) ?? '').trim(), charsMax) || null;
    const metric: DigestedMetric = {
      ...originOf(this.#context),
      rowId: rowIdOf(this.#itemId, index),
      occurredAtUs: occurredAtUs + shiftUs,
      name,
      type,
      unit: readUnit(rules.scrubber.scrubKnown(facts.unit)),
      value,
      traceId: facts.traceId,
      spanId: facts.spanId,
      source: facts.source,
      release: column(RELEASE_CHARS_MAX, 'sentry.release', 'resource.service.version'),
      environment: column(
        ENVIRONMENT_CHARS_MAX,
        'sentry.environment',
        'resource.deployment.environment.name',
        'resource.deployment.environment',
      ),
      attributes: kept,
    };
    const filter = rules.filters.filterSender(filterFactsOf(attributes, metric.release), this.#context);
    if (filter !== null) return { outcome: 'filtered', reason: filter };
    this.metrics.push(metric);
    return { outcome: 'accepted', reason: '' };
  }
}
