import { digestItem } from '#pipeline/digest-envelope.ts';
import { groupEvent } from '#pipeline/grouping/group-event.ts';
import type { Grouping } from '#pipeline/grouping/grouping-types.ts';
import { compileIngestRules } from '#pipeline/ingest-rules.ts';
import { EnvelopeError } from '#protocol/envelope.ts';
import { DEFAULT_INGEST_SETTINGS, type IngestSettings, NO_FILTERS } from '#protocol/ingest-settings.ts';
import { explainEnvelopeItems, NO_PRIVACY } from './explain-items.ts';
import type { Explanation } from './explanation.ts';
import { type ExplainInput, readInput } from './read-input.ts';

/** What would become of an event or envelope, by digest's own code. Pure; crash dumps are not read. */
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

/** How the event is grouped, filters ignored; null without an event. Throws EnvelopeError for an invalid envelope. */
export function explainGrouping(
  input: Omit<ExplainInput, 'settings'> & { settings: IngestSettings | null },
): Grouping | null {
  const settings = input.settings ?? { ...DEFAULT_INGEST_SETTINGS, privacy: NO_PRIVACY };
  const { items, context } = readInput({ ...input, settings });
  const { grouping } = context.rules;
  const rules = compileIngestRules({ ...settings, filters: NO_FILTERS }, grouping);
  for (const item of items) {
    const [event] = digestItem(item, { ...context, rules }).events;
    if (event) return groupEvent(event.payload, grouping);
  }
  return null;
}
