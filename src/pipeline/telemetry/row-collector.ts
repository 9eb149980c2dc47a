import type { Outcome } from '#protocol/outcome.ts';
import type { Attributes, TelemetryOrigin } from '#protocol/telemetry.ts';
import type { ItemContext } from '../item.ts';
import { ENVIRONMENT_CHARS_MAX, RELEASE_CHARS_MAX } from '../normalize/limits.ts';
import { cutText } from '../normalize/safe-text.ts';
import { type AttributeSet, attributeText } from './attributes.ts';
import { placeInTime, TIMESTAMP_PROBLEM } from './clock.ts';
import { addSenderFacts, filterFactsOf, type OutcomeTally } from './container.ts';
import { originOf, rowIdOf } from './row-identity.ts';

/** What logs and metrics of any format say alike. */
export type RowFacts = {
  /** Microseconds since the epoch; null when it cannot be read. */
  occurredAtUs: number | null;
  traceId: string | null;
  spanId: string | null;
  attributes: AttributeSet;
};

/** What rows of logs and metrics have alike. */
type RowColumns = TelemetryOrigin & {
  rowId: string;
  occurredAtUs: number;
  traceId: string | null;
  spanId: string | null;
  release: string | null;
  environment: string | null;
  attributes: Attributes;
};

/** Collects the rows of one item; each ends in one outcome. `judge` reads the facts before anything is stored of them. */
export class RowCollector<Facts extends RowFacts, Row extends RowColumns> {
  readonly rows: Row[] = [];
  readonly #context: ItemContext;
  readonly #itemId: string;
  readonly #tally: OutcomeTally;
  readonly #infer: { ip: boolean; userAgent: boolean };
  readonly #judge: Judge<Facts, Row>;

  constructor(
    judge: Judge<Facts, Row>,
    context: ItemContext,
    itemId: string,
    tally: OutcomeTally,
    infer: { ip: boolean; userAgent: boolean },
  ) {
    this.#judge = judge;
    this.#context = context;
    this.#itemId = itemId;
    this.#tally = tally;
    this.#infer = infer;
  }

  /** `index` is the place in its item, which makes its identity. */
  take(facts: Facts, index: number): void {
    const { outcome, reason } = this.#take(facts, index);
    this.#tally.count(outcome, reason);
  }

  #take(facts: Facts, index: number): { outcome: Outcome; reason: string } {
    const { attributes, occurredAtUs, traceId, spanId } = facts;
    const make = this.#judge(facts, this.#context);
    if (typeof make === 'string') return { outcome: 'invalid', reason: make };
    if (occurredAtUs === null) return { outcome: 'invalid', reason: 'timestamp' };
    const { shiftUs, problem } = placeInTime(occurredAtUs, this.#context);
    if (problem !== null) attributes.set(TIMESTAMP_PROBLEM, problem);
    addSenderFacts(attributes, this.#context, this.#infer);
    const row = make((kept) => ({
      ...originOf(this.#context),
      rowId: rowIdOf(this.#itemId, index),
      occurredAtUs: occurredAtUs + shiftUs,
      traceId,
      spanId,
      release: columnOf(kept, RELEASE_CHARS_MAX, 'sentry.release', 'resource.service.version'),
      environment: columnOf(
        kept,
        ENVIRONMENT_CHARS_MAX,
        'sentry.environment',
        'resource.deployment.environment.name',
        'resource.deployment.environment',
      ),
      attributes: kept,
    }));
    const { filters } = this.#context.rules;
    const filter = filters.filterSender(filterFactsOf(attributes, row.release), this.#context);
    if (filter !== null) return { outcome: 'filtered', reason: filter };
    this.rows.push(row);
    return { outcome: 'accepted', reason: '' };
  }
}

/** Why the facts are refused, or what makes their row once their attributes are complete; `columns` takes the scrubbed ones. */
export type Judge<Facts extends RowFacts, Row extends RowColumns> = (
  facts: Facts,
  context: ItemContext,
) => string | ((columns: (kept: Attributes) => RowColumns) => Row);

/** The first of the attributes that there is, cut; null for none. */
export const columnOf = (
  attributes: Attributes,
  charsMax: number,
  ...keys: readonly string[]
): string | null => cutText((attributeText(attributes, ...keys) ?? '').trim(), charsMax) || null;
