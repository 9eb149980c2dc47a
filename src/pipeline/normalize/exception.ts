import type { ExceptionValue, Mechanism, Thread } from '#protocol/event.ts';
import { type FieldReader, isSource, type Source } from './field-reader.ts';
import {
  EXCEPTIONS_MAX,
  MESSAGE_CHARS_MAX,
  NAME_CHARS_MAX,
  PATH_CHARS_MAX,
  SMALL_JSON_LIMITS,
  THREADS_MAX,
} from './limits.ts';
import { normalizeStacktrace } from './stacktrace.ts';

/** Reads `exception` in every shape that SDKs sent it: `{values}`, a bare list, or a single exception. */
export function normalizeExceptions(
  reader: FieldReader,
  event: Source,
): { values: readonly ExceptionValue[] } | undefined {
  const sent = reader.list(event, 'exception', true);
  if (sent.length > EXCEPTIONS_MAX) {
    reader.report(
      'too_many_items',
      '',
      'exception.values',
      `kept the last ${EXCEPTIONS_MAX} of ${sent.length}`,
    );
  }
  const values: ExceptionValue[] = [];
  // The last exception is the one that was caught, so the chain's far end is what goes.
  for (const [index, value] of sent.slice(-EXCEPTIONS_MAX).entries()) {
    const path = `exception.values.${index}`;
    if (isSource(value)) {
      const exception = normalizeException(reader, value, path);
      if (exception !== undefined) values.push(exception);
    } else if (typeof value === 'string' && value !== '') {
      values.push({ value: reader.shorten(value, path, '', MESSAGE_CHARS_MAX) });
    } else if (value !== null) {
      reader.invalid(path, '', 'an object', value);
    }
  }
  return values.length === 0 ? undefined : { values };
}

function normalizeException(reader: FieldReader, source: Source, path: string): ExceptionValue | undefined {
  const typeSent = reader.anyText(source, 'type', path, NAME_CHARS_MAX);
  const valueSent = reader.anyText(source, 'value', path, MESSAGE_CHARS_MAX);
  const { type, value } =
    typeSent === undefined ? splitValue(valueSent) : { type: typeSent, value: valueSent };
  const exception: ExceptionValue = {
    type,
    value,
    module: reader.text(source, 'module', path, PATH_CHARS_MAX),
    thread_id: threadId(reader, source, 'thread_id', path),
    mechanism: normalizeMechanism(reader, source, path),
    stacktrace: normalizeStacktrace(reader, source, 'stacktrace', path),
    raw_stacktrace: normalizeStacktrace(reader, source, 'raw_stacktrace', path),
  };
  const saysSomething =
    exception.type !== undefined || exception.value !== undefined || exception.stacktrace !== undefined;
  return saysSomething || exception.mechanism !== undefined ? exception : undefined;
}

/** Old SDKs put `TypeError: x is undefined` into the value alone. */
function splitValue(value: string | undefined): { type: string | undefined; value: string | undefined } {
  const match = value === undefined ? null : /^(\w{1,100}):\s+(\S[\s\S]*)$/.exec(value);
  return match === null ? { type: undefined, value } : { type: match[1], value: match[2] };
}

/** Ids of threads are numbers on most platforms, text on some. */
function threadId(
  reader: FieldReader,
  source: Source,
  key: string,
  path: string,
): string | number | undefined {
  const value = source[key];
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return reader.text(source, key, path, NAME_CHARS_MAX);
}

function normalizeMechanism(
  reader: FieldReader,
  exception: Source,
  exceptionPath: string,
): Mechanism | undefined {
  const source = reader.object(exception, 'mechanism', exceptionPath);
  if (source === undefined) return undefined;
  const path = `${exceptionPath}.mechanism`;
  return {
    type: reader.text(source, 'type', path, NAME_CHARS_MAX) ?? 'generic',
    handled: reader.boolean(source, 'handled', path),
    synthetic: reader.boolean(source, 'synthetic', path),
    description: reader.text(source, 'description', path, MESSAGE_CHARS_MAX),
    help_link: reader.text(source, 'help_link', path, PATH_CHARS_MAX),
    source: reader.text(source, 'source', path, NAME_CHARS_MAX),
    exception_id: reader.number(source, 'exception_id', path),
    parent_id: reader.number(source, 'parent_id', path),
    is_exception_group: reader.boolean(source, 'is_exception_group', path),
    data: reader.jsonObject(source, 'data', path, SMALL_JSON_LIMITS),
    meta: reader.jsonObject(source, 'meta', path, SMALL_JSON_LIMITS),
  };
}

/** Reads `threads` as `{values}` or a bare list. */
export function normalizeThreads(
  reader: FieldReader,
  event: Source,
): { values: readonly Thread[] } | undefined {
  const sent = reader.list(event, 'threads', false);
  if (sent.length > THREADS_MAX) {
    reader.report('too_many_items', '', 'threads.values', `kept the first ${THREADS_MAX} of ${sent.length}`);
  }
  const values: Thread[] = [];
  for (const [index, source] of sent.slice(0, THREADS_MAX).entries()) {
    const path = `threads.values.${index}`;
    if (isSource(source)) {
      values.push({
        id: threadId(reader, source, 'id', path),
        name: reader.text(source, 'name', path, NAME_CHARS_MAX),
        crashed: reader.boolean(source, 'crashed', path),
        current: reader.boolean(source, 'current', path),
        main: reader.boolean(source, 'main', path),
        state: reader.text(source, 'state', path, NAME_CHARS_MAX),
        stacktrace: normalizeStacktrace(reader, source, 'stacktrace', path),
      });
    } else if (source !== null) {
      reader.invalid(path, '', 'an object', source);
    }
  }
  return values.length === 0 ? undefined : { values };
}
