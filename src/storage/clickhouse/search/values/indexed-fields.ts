import type { EventColumn, EventField, EventList } from '#storage/ports/search.ts';

/** Every event has it, with an empty value: when there were events of a hash at all. */
export const ANY_EVENT = '';
/** Events of the hash were taken away on these days: what else is noted of them may be of nothing that is left. */
export const REMOVED = '!';
/** On these days events of the hash may have values that are not noted: what was noted is forgotten. */
export const FORGOTTEN = '?';

/**
 * Stands for all values of a field that look as if no two events shared them: the index would grow with the events and
 * not with what is different. Such a value is looked for among the events of the hashes that have one.
 */
export const DISTINCTIVE = '\u0001';

/** Also read by the server, as RE2: ASCII classes only. */
export const DISTINCTIVE_PATTERN = '[0-9]{6}|[0-9a-fA-F]{16}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-';
const LOOKS_DISTINCTIVE = new RegExp(DISTINCTIVE_PATTERN);

export const isDistinctive = (value: string): boolean =>
  value === DISTINCTIVE || LOOKS_DISTINCTIVE.test(value);

/** Columns that many events share; identity of users and traces has indexes of its own. */
export const INDEXED_COLUMNS = [
  'type',
  'level',
  'platform',
  'logger',
  'title',
  'culprit',
  'release',
  'dist',
  'environment',
  'transaction',
  'sdk.name',
  'sdk.version',
] as const satisfies readonly EventColumn[];

export type IndexedField = (typeof INDEXED_COLUMNS)[number] | EventList;

/** Fields whose values may be distinctive; the others repeat in whatever form they have. */
const MAY_BE_DISTINCTIVE: ReadonlySet<string> = new Set<IndexedField>([
  'title',
  'culprit',
  'transaction',
  'error.value',
]);

export const TAG_PREFIX = 'tag:';
export const ATTRIBUTE_PREFIX = 'attribute:';

const mayBeDistinctive = (field: string): boolean =>
  field.startsWith(TAG_PREFIX) || field.startsWith(ATTRIBUTE_PREFIX) || MAY_BE_DISTINCTIVE.has(field);

/** What the index holds for a value. */
export const indexedValue = (field: string, value: string): string =>
  mayBeDistinctive(field) && isDistinctive(value) ? DISTINCTIVE : value;

/** Name of a field in the index; null when it has no place there. */
export function indexedName(field: EventField): string | null {
  switch (field.kind) {
    case 'tag':
      return `${TAG_PREFIX}${field.key}`;
    case 'attribute':
      return `${ATTRIBUTE_PREFIX}${field.name}`;
    case 'list':
      return field.name;
    case 'numbers':
      return null;
    case 'column':
      return COLUMNS.has(field.name) ? field.name : null;
  }
}

const COLUMNS: ReadonlySet<EventColumn> = new Set(INDEXED_COLUMNS);
