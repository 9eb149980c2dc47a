import type { DigestedEvent, ExceptionValue, Frame, NormalizedEvent } from '#protocol/event.ts';
import type { SearchColumns } from '#storage/ports/events.ts';
import type { EventList, EventNumberList } from '#storage/ports/search.ts';
import type { RowBinaryWriter } from '../row-binary.ts';

type SearchColumn = readonly [name: string, write: (row: RowBinaryWriter, columns: SearchColumns) => void];

/** The columns of lists of texts, and of numbers, by the names that searches use. */
export const LIST_COLUMNS: Readonly<Record<EventList, string>> = {
  'error.type': 'error_types',
  'error.value': 'error_values',
  'error.mechanism': 'error_mechanisms',
  'stack.filename': 'stack_filenames',
  'stack.abs_path': 'stack_abs_paths',
  'stack.function': 'stack_functions',
  'stack.module': 'stack_modules',
  'stack.package': 'stack_packages',
};
export const LISTS = Object.keys(LIST_COLUMNS) as readonly EventList[];
export const NUMBER_COLUMNS: Readonly<Record<EventNumberList, string>> = {
  'stack.lineno': 'stack_linenos',
  'stack.colno': 'stack_colnos',
};

/** What an event is searched by, beside its other columns. */
const COLUMNS: readonly SearchColumn[] = [
  ...LISTS.map((name): SearchColumn => [LIST_COLUMNS[name], (row, { lists }) => row.list(lists[name])]),
  ['is_unhandled', (row, { isUnhandled }) => row.boolean(isUnhandled)],
  ['is_in_app', (row, { isInApp }) => row.boolean(isInApp)],
  [NUMBER_COLUMNS['stack.lineno'], (row, { numbers }) => row.uint32List(numbers['stack.lineno'])],
  [NUMBER_COLUMNS['stack.colno'], (row, { numbers }) => row.uint32List(numbers['stack.colno'])],
  ['attributes', (row, { attributes }) => row.strings(attributes)],
];

export const SEARCH_COLUMNS: readonly string[] = COLUMNS.map(([name]) => name);

/** Distinct values of one list; of a stack, those of the innermost calls. */
const LIST_VALUES_MAX = 50;
/** One value, or name of an attribute. */
const VALUE_CHARACTERS_MAX = 200;
/** Attributes of one event. */
const ATTRIBUTES_MAX = 100;
const CONTEXTS = ['device', 'os', 'browser', 'runtime', 'app', 'gpu'] as const;
/** Tags that are searched as attributes when no context says more. */
const ATTRIBUTE_TAG = /^(?:http|geo|device|os|browser|runtime|app|gpu)\./;

export function readSearchColumns({ payload, metadata, tags }: DigestedEvent): SearchColumns {
  const exceptions = payload.exception?.values ?? [{ type: metadata.type, value: metadata.value }];
  const frames = framesOf(payload, exceptions);
  return {
    lists: {
      'error.type': distinct(exceptions, (exception) => exception.type),
      'error.value': distinct(exceptions, (exception) => exception.value),
      'error.mechanism': distinct(exceptions, (exception) => exception.mechanism?.type),
      'stack.filename': distinct(frames, (frame) => frame.filename),
      'stack.abs_path': distinct(frames, (frame) => frame.abs_path),
      'stack.function': distinct(frames, (frame) => frame.function),
      'stack.module': distinct(frames, (frame) => frame.module),
      'stack.package': distinct(frames, (frame) => frame.package),
    },
    numbers: {
      'stack.lineno': distinctNumbers(frames, (frame) => frame.lineno),
      'stack.colno': distinctNumbers(frames, (frame) => frame.colno),
    },
    isUnhandled: exceptions.some((exception) => exception.mechanism?.handled === false),
    isInApp: frames.some((frame) => frame.in_app === true),
    attributes: attributesOf(payload, tags),
  };
}

/** Writes the values of `SEARCH_COLUMNS`. */
export function writeSearchColumns(row: RowBinaryWriter, columns: SearchColumns): void {
  for (const [, write] of COLUMNS) write(row, columns);
}

function framesOf(event: NormalizedEvent, exceptions: readonly ExceptionValue[]): readonly Frame[] {
  const frames = exceptions.flatMap((exception) => exception.stacktrace?.frames ?? []);
  if (frames.length > 0) return frames;
  const threads = event.threads?.values ?? [];
  return event.stacktrace?.frames ?? threads.flatMap((thread) => thread.stacktrace?.frames ?? []);
}

function distinct<Item>(
  items: readonly Item[],
  read: (item: Item) => string | null | undefined,
): readonly string[] {
  const values = new Set<string>();
  for (let at = items.length - 1; at >= 0 && values.size < LIST_VALUES_MAX; at--) {
    const item = items[at];
    const value = item && read(item);
    if (value) values.add(value.slice(0, VALUE_CHARACTERS_MAX));
  }
  return [...values];
}

function distinctNumbers(
  frames: readonly Frame[],
  read: (frame: Frame) => number | null | undefined,
): readonly number[] {
  const values = new Set<number>();
  for (let at = frames.length - 1; at >= 0 && values.size < LIST_VALUES_MAX; at--) {
    const frame = frames[at];
    const value = frame && read(frame);
    if (value != null && Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff) values.add(value);
  }
  return [...values];
}

function attributesOf(event: NormalizedEvent, tags: DigestedEvent['tags']): readonly [string, string][] {
  const attributes = new Map<string, string>();
  const add = (name: string, value: unknown) => {
    const text = textOf(value);
    if (text === '' || attributes.has(name) || attributes.size >= ATTRIBUTES_MAX) return;
    attributes.set(name.slice(0, VALUE_CHARACTERS_MAX), text.slice(0, VALUE_CHARACTERS_MAX));
  };
  add('http.method', event.request?.method);
  add('http.url', event.request?.url);
  add('http.referer', event.request?.headers?.find(([name]) => name.toLowerCase() === 'referer')?.[1]);
  add('http.status_code', event.contexts?.response?.status_code);
  for (const [name, value] of Object.entries(event.user?.geo ?? {})) add(`geo.${name}`, value);
  for (const context of CONTEXTS) {
    for (const [name, value] of Object.entries(event.contexts?.[context] ?? {}))
      add(`${context}.${name}`, value);
  }
  for (const [name, value] of tags) if (ATTRIBUTE_TAG.test(name)) add(name, value);
  return [...attributes];
}

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';
