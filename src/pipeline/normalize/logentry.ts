import type { LogEntry } from '#protocol/event.ts';
import { type FieldReader, isSource, type Source } from './field-reader.ts';
import { formatMessage } from './format-message.ts';
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
