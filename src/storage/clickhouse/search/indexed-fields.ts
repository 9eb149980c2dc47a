import type { EventExpression, EventField } from '#storage/ports/search.ts';

/** Columns that the index of events has under the same names as the table of events. */
const INDEXED: ReadonlySet<string> = new Set(['environment', 'release']);

/** Whether the index of events knows all that is asked; an absent expression asks nothing. */
export function isIndexed(expression: EventExpression | undefined): boolean {
  if (expression === undefined) return true;
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.parts.every(isIndexed);
    case 'text':
    case 'present':
      return isIndexedField(expression.field);
    case 'moment':
      return true;
    default:
      return false;
  }
}

const isIndexedField = (field: EventField): boolean => field.kind === 'column' && INDEXED.has(field.name);

/** Which rows of the index answer an expression: those that were written before it knew names have a copy that does. */
export const indexedRows = (expression: EventExpression | undefined): string =>
  expression === undefined ? '1' : 'has_names';
