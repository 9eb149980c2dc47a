import type { Frame, NormalizedEvent } from '#protocol/event.ts';
import { baseName } from '../../code-location.ts';
import { parameterize } from '../parameterize.ts';
import { crashFrame } from './event-facts.ts';

/** What stands for the grouping that Errata finds itself. */
export const DEFAULT_ENTRY = '{{ default }}';

const ENTRY = /^\{\{\s*([^\s{}]+)\s*\}\}$/;
const VARIABLES = /\{\{\s*([^\s{}]+)\s*\}\}/g;

/** The name in `{{ name }}`; null for an entry that is no variable. */
export const variableName = (entry: string): string | null => ENTRY.exec(entry)?.[1] ?? null;

export const isDefaultEntry = (entry: string): boolean => variableName(entry) === 'default';

/** The text with every variable in it filled in. */
export const fillVariables = (template: string, event: NormalizedEvent): string =>
  template.includes('{{')
    ? template.replace(VARIABLES, (_whole, name: string) => variableValue(name, event))
    : template;

/** What a variable stands for, as the event was sent; what is missing has a name of its own, such as `<no-type>`. */
function variableValue(name: string, event: NormalizedEvent): string {
  const exception = event.exception?.values.at(-1);
  switch (name) {
    case 'message':
    case 'raw_message':
      return event.logentry?.formatted || event.logentry?.message || exception?.value || '<no-message>';
    case 'type':
    case 'error.type':
      return exception?.type || '<no-type>';
    case 'value':
    case 'raw_value':
    case 'error.value':
    case 'error.raw_value':
      return exception?.value || '<no-value>';
    case 'transaction':
      return event.transaction || '<no-transaction>';
    case 'level':
      return event.level;
    case 'logger':
      return event.logger || '<no-logger>';
    default:
      return name.startsWith('tags.')
        ? tagValue(name.slice('tags.'.length), event)
        : frameValue(name, crashFrame(event));
  }
}

function tagValue(key: string, event: NormalizedEvent): string {
  const tag = event.tags?.find(([name]) => name === key);
  return tag?.[1] ?? `<no-value-for-tag-${key}>`;
}

function frameValue(name: string, frame: Frame | null): string {
  switch (name) {
    case 'function':
    case 'stack.function':
      return frame?.function || '<no-function>';
    case 'module':
    case 'stack.module':
      return frame?.module || '<no-module>';
    case 'path':
    case 'stack.abs_path':
      return frame?.abs_path || frame?.filename || '<no-abs-path>';
    case 'stack.filename':
      return frame?.filename || frame?.abs_path || '<no-filename>';
    case 'package':
    case 'stack.package':
      return baseName(frame?.package ?? '') || '<no-package>';
    default:
      return `<unrecognized-variable-${name}>`;
  }
}

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
