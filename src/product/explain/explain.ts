import { EnvelopeError } from '#protocol/envelope.ts';
import { explainEnvelopeItems } from './explain-items.ts';
import type { Explanation } from './explanation.ts';
import { type ExplainInput, readInput } from './read-input.ts';

/**
 * Tells what would become of an event or an envelope with the given settings, by the same code that digests it. Needs
 * no store: whether its id came before is not known, and a crash dump is not read. The same input gives the same answer.
 */
export function explain(input: ExplainInput): Explanation {
  try {
    const { isEnvelope, items, context } = readInput(input);
    const explanation = explainEnvelopeItems(items, context);
    if (isEnvelope) return explanation;
    const { items: _items, ...lone } = explanation;
    return lone;
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    const reason = error.kind === 'too_large' ? 'too_large' : 'invalid_envelope';
    const outcome = { outcome: 'invalid', reason, detail: error.message } as const;
    return { outcome, event: null, grouping: null, scrubbed: [], items: [] };
  }
}
