import type { NormalizedEvent } from '#protocol/event.ts';
import { parameterize } from '../parameterize.ts';
import { DEFAULT_ENTRY, variableName, variableValue } from './fingerprint-variables.ts';

const NO_MESSAGE = '<no-message>';

/**
 * A fingerprint with its variables filled in; `{{ default }}` in any spelling stays `{{ default }}`. A message takes part
 * with what varies in it replaced, also when an SDK wrote it out.
 */
export const resolveFingerprint = (entries: readonly string[], event: NormalizedEvent): readonly string[] =>
  entries.map((entry) => resolveEntry(entry, event));

function resolveEntry(entry: string, event: NormalizedEvent): string {
  const name = variableName(entry);
  if (name === null) return isMessageOf(entry, event) ? parameterize(entry) : entry;
  if (name === 'default') return DEFAULT_ENTRY;
  const value = variableValue(name, event);
  return name === 'message' && value !== NO_MESSAGE ? parameterize(value) : value;
}

const isMessageOf = (text: string, { logentry, exception }: NormalizedEvent): boolean =>
  text !== '' &&
  (logentry?.formatted === text ||
    logentry?.message === text ||
    exception?.values.some(({ value }) => value === text) === true);
