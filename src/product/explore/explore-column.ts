import { invalid } from '#lib/errors.ts';
import { eventKeyNamed } from '#product/search/event-fields.ts';
import type { ExploredField } from '#storage/ports/event-explore.ts';

/** What a column shows of an event: a field, or what every event has anyway. */
export type ExploreColumn =
  | { name: string; shows: 'timestamp' }
  | { name: string; shows: 'issue' }
  | { name: string; shows: 'field'; field: ExploredField };

export const COLUMNS_MAX = 12;
const NAME_CHARACTERS_MAX = 200;

/** Reads names of columns as a search spells keys: `release`, `user.email`, `tags[level]`. Throws Invalid. */
export function readColumns(names: readonly string[]): readonly ExploreColumn[] {
  const distinct = [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))];
  if (distinct.length > COLUMNS_MAX) {
    throw invalid(`A table has at most ${COLUMNS_MAX} columns: take some out`, 'column');
  }
  return distinct.map((name) => {
    if (name === 'timestamp') return { name, shows: 'timestamp' };
    if (name === 'issue') return { name, shows: 'issue' };
    return { name, shows: 'field', field: readField(name, 'column') };
  });
}

/** The field that events are grouped by. Throws Invalid. */
export function readGroupField(name: string): ExploredField {
  if (name === 'timestamp' || name === 'issue') {
    throw invalid(`Events cannot be grouped by ${name}: choose a tag or another field`, 'group');
  }
  return readField(name, 'group');
}

function readField(name: string, input: 'column' | 'group'): ExploredField {
  if (name.length > NAME_CHARACTERS_MAX) {
    throw invalid(`The name of a field has at most ${NAME_CHARACTERS_MAX} characters`, input);
  }
  if (name === 'project') return { kind: 'project' };
  if (name === 'message') return { kind: 'column', name: 'message' };
  const known = eventKeyNamed(name);
  switch (known.kind) {
    case 'text':
      return known.field;
    case 'numbers':
      return { kind: 'numbers', name: known.name };
    case 'flag':
      if (!known.isReversed) return { kind: 'flag', name: known.name };
      break;
    case 'elsewhere':
      throw invalid(`"${name}" ${known.reason}`, input);
  }
  throw invalid(`"${name}" can be searched for but not shown: choose another field`, input);
}
