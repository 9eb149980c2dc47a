import type { ExploredField } from '#storage/ports/event-explore.ts';
import type { SqlPart } from '../list-param.ts';
import { fieldText, fieldValue } from '../search/match-events.ts';

/** The values of a field, one per row. */
export const exploredValue = (field: ExploredField): SqlPart =>
  isOwn(field) ? ownText(field) : fieldValue(field);

/** One text per field, as an array in the same order. */
export function exploredTexts(fields: readonly ExploredField[]): SqlPart {
  const parts = fields.map((field, index) =>
    isOwn(field) ? ownText(field) : fieldText(field, `field${index}_`),
  );
  return {
    // The type, so that no field at all is an array of texts too.
    sql: `CAST([${parts.map((part) => part.sql).join(', ')}] AS Array(String))`,
    params: Object.fromEntries(parts.flatMap((part) => Object.entries(part.params))),
  };
}

/** What no search names as a text. */
type OwnField = Extract<ExploredField, { kind: 'project' | 'flag' }>;

const isOwn = (field: ExploredField): field is OwnField => field.kind === 'project' || field.kind === 'flag';

function ownText(field: OwnField): SqlPart {
  if (field.kind === 'project') return { sql: 'toString(project_id)', params: {} };
  const isTrue = field.name === 'error.handled' ? 'NOT is_unhandled' : 'is_in_app';
  return { sql: `if(${isTrue}, 'true', 'false')`, params: {} };
}
