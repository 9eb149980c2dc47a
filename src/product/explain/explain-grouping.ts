import { digestItem } from '#pipeline/digest-envelope.ts';
import { groupEvent } from '#pipeline/grouping/group-event.ts';
import type { Grouping } from '#pipeline/grouping/grouping-types.ts';
import { compileIngestRules } from '#pipeline/ingest-rules.ts';
import { DEFAULT_INGEST_SETTINGS, type IngestSettings, NO_FILTERS } from '#protocol/ingest-settings.ts';
import { NO_PRIVACY } from './no-privacy.ts';
import { type ExplainInput, readInput } from './read-input.ts';

/**
 * How the event of the input is grouped, whether or not a filter would drop it; null when it holds no event. Without
 * settings, private data stays in the event, as in the tests that Sentry has of its algorithm. Throws EnvelopeError for
 * an envelope that the edge would refuse.
 */
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
