import type { LogEntry } from '#protocol/event.ts';
import { type FieldReader, isSource, type Source } from './field-reader.ts';
import { MESSAGE_CHARS_MAX, PARAMS_MAX, SMALL_JSON_LIMITS } from './limits.ts';

/**
 * Reads the event's message from `logentry` (an object or text) or the older top-level `message` (text or an object).
 * `formatted` is always there in what it returns; `message` only where it is a template that differs from it.
 */
export function normalizeLogEntry(reader: FieldReader, event: Source): LogEntry | undefined {
  return fromField(reader, event, 'logentry') ?? fromField(reader, event, 'message');
}

function fromField(reader: FieldReader, event: Source, key: string): LogEntry | undefined {
  const value = event[key];
  if (value === undefined || value === null || value === '') return undefined;
  if (!isSource(value)) {
    const text = reader.anyText(event, key, '', MESSAGE_CHARS_MAX);
    return text === undefined ? undefined : withParams(text, undefined, undefined);
  }
  const formatted = reader.anyText(value, 'formatted', key, MESSAGE_CHARS_MAX);
  const template = reader.anyText(value, 'message', key, MESSAGE_CHARS_MAX) ?? formatted;
  if (template !== undefined) return withParams(template, formatted, paramsOf(reader, value, key));
  // Beside parameters there should have been a message.
  if (value.params !== undefined && value.params !== null) reader.invalid('', key, 'a message', value);
  return undefined;
}

function withParams(
  template: string,
  formattedSent: string | undefined,
  params: LogEntry['params'],
): LogEntry {
  const formatted = formattedSent ?? (params ? formatMessage(template, params, MESSAGE_CHARS_MAX) : template);
  return { message: template === formatted ? undefined : template, formatted, params };
}

function paramsOf(reader: FieldReader, source: Source, path: string): LogEntry['params'] {
  const value = source.params;
  if (value === undefined || value === null) return undefined;
  const bounded = { params: boundParams(value) };
  const copy = reader.json(bounded, 'params', path, SMALL_JSON_LIMITS);
  if (Array.isArray(copy)) return copy.length === 0 ? undefined : copy;
  return isSource(copy) && Object.keys(copy).length > 0 ? copy : undefined;
}

/** A single value stands for a list of one. */
function boundParams(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, PARAMS_MAX);
  return typeof value === 'object' ? value : [value];
}

type Params = readonly unknown[] | Readonly<Record<string, unknown>>;

/** `%%`, `%s`, `%5.2f`, `%(name)s`, `{{`, `}}`, `{}`, `{0}`, `{name}`, `{0:x}`. */
const PLACEHOLDER =
  /%%|%(?:\((?<percentName>[^()]{1,100})\))?[-+ #0]{0,5}\d{0,3}(?:\.\d{1,3})?[sdifeEgGrxXouc]|\{\{|\}\}|\{(?<braceName>[\w.]{0,100})(?:[:!][^{}]{0,50})?\}/g;

/**
 * Fills a log template's placeholders with its parameters, in the styles of printf, Python and .NET, as text only:
 * widths and precisions are ignored. A placeholder without a parameter stays as it is.
 */
export function formatMessage(template: string, params: Params, charsMax: number): string {
  const usesPercent = /%(?:\([^()]{1,100}\))?[-+ #0]{0,5}\d{0,3}(?:\.\d{1,3})?[sdifeEgGrxXouc]/.test(
    template,
  );
  let position = 0;
  const formatted = template.replace(PLACEHOLDER, (placeholder: string, ...rest: unknown[]) => {
    const isPercent = placeholder.startsWith('%');
    if (isPercent !== usesPercent) return placeholder;
    if (placeholder === '%%') return '%';
    if (placeholder === '{{' || placeholder === '}}') return placeholder[0] as string;
    const groups = rest.at(-1) as { percentName?: string; braceName?: string };
    const name = isPercent ? groups.percentName : groups.braceName;
    const found = lookUp(params, name === undefined || name === '' ? position++ : name);
    return found.known ? textOfParam(found.value) : placeholder;
  });
  return formatted.length > charsMax ? `${formatted.slice(0, charsMax - 1).toWellFormed()}…` : formatted;
}

function lookUp(params: Params, key: string | number): { known: boolean; value: unknown } {
  if (!Array.isArray(params)) {
    // Python's logging takes one mapping for named placeholders, and its keys in order serve numbered ones.
    const named = params as Readonly<Record<string, unknown>>;
    const name = typeof key === 'number' ? Object.keys(named)[key] : key;
    const known = name !== undefined && Object.hasOwn(named, name);
    return { known, value: known ? named[name] : undefined };
  }
  const index = typeof key === 'number' ? key : /^\d{1,3}$/.test(key) ? Number(key) : -1;
  return { known: index >= 0 && index < params.length, value: params[index] };
}

function textOfParam(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
