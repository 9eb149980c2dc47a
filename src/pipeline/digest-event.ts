import type { DigestedEvent } from '#protocol/event.ts';
import type { Outcome } from '#protocol/outcome.ts';
import { buildEvent } from './build-event.ts';
import { applyCrash, problemOfCrash } from './crash-reports/apply-crash.ts';
import type { ItemContext, RawItem } from './item.ts';
import { normalizeEvent } from './normalize/normalize-event.ts';
import { parseJson } from './parse-json.ts';
import { RepeatedExceptions } from './repeated-exceptions.ts';
import { symbolicateEvent } from './symbolicate/symbolicate-event.ts';

/** Of this thread. What is in it changes how long an event takes, and nothing else. */
const repeated = new RepeatedExceptions();

export type DigestResult =
  | { kind: 'event'; event: DigestedEvent }
  /** The payload says that it is a transaction, as `/store/` may be sent one. */
  | { kind: 'transaction' }
  | {
      kind: 'discarded';
      outcome: Outcome;
      /** Machine-readable. */
      reason: string;
      /** What is wrong, in words, for the sender. */
      detail: string;
    };

/**
 * Understands one event: parse, normalize (the clock rules included), filter, symbolicate, scrub, describe, tag, group.
 * Never throws, whatever the bytes are, and gives the same result for the same input and the same uploads.
 */
export function digestEvent(item: RawItem, context: ItemContext): DigestResult {
  const parsed = parseJson(item.payload);
  if (parsed.kind === 'unparseable') {
    return { kind: 'discarded', outcome: 'invalid', reason: 'invalid_json', detail: parsed.detail };
  }
  if (parsed.value.type === 'transaction') return { kind: 'transaction' };
  const value = item.crash ? applyCrash(parsed.value, item.crash) : parsed.value;
  const problem = item.crash && problemOfCrash(item.crash);
  const read = normalizeEvent(value, {
    bytes: item.payload,
    // Nobody knows what a dump holds.
    unsafeText: parsed.unsafeText || item.crash !== null,
    ...context,
  });
  const normalized = problem ? { ...read, errors: [problem, ...(read.errors ?? [])] } : read;
  const filter = context.rules.filters.filterEvent(normalized, context);
  if (filter !== null) {
    return {
      kind: 'discarded',
      outcome: 'filtered',
      reason: filter,
      detail: `Filtered by the project's inbound filter ${filter}`,
    };
  }
  const symbolicated = context.symbols ? symbolicateEvent(normalized, context.symbols) : normalized;
  const { payload, grouping } = repeated.scrubAndGroup(symbolicated, context.rules);
  return { kind: 'event', event: buildEvent(payload, grouping, context) };
}
