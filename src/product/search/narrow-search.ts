import type { Project } from '#domain/projects.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { EVERYTHING, type EventCondition, type EventExpression } from '#storage/ports/search.ts';
import { openEventSearch } from './read-event-search.ts';

/** What rows other than errors can be asked for in the search for events; the project always can. */
export type NarrowFields = {
  /** What the rows are, at the beginning of a sentence. */
  subject: string;
  columns: ReadonlySet<string>;
  hasTags: boolean;
};

export const SESSION_FIELDS: NarrowFields = {
  subject: 'Sessions',
  columns: new Set(['release', 'environment']),
  hasTags: false,
};

/** Throws Invalid for a bad search, and for one that asks for what the rows do not have. */
export async function openNarrowSearch(
  ctx: Context,
  asked: { query: string; projects: readonly Project[]; environments: readonly string[] },
  fields: NarrowFields,
): Promise<EventExpression> {
  const { expression = EVERYTHING } = await openEventSearch(
    ctx,
    asked.query,
    asked.projects,
    asked.environments,
  );
  if (leavesOf(expression).every((condition) => isKnown(condition, fields))) return expression;
  const names = [...fields.columns].join(', ');
  throw invalid(
    `${fields.subject} can only be filtered by ${names}${fields.hasTags ? ' and tags' : ''}`,
    'query',
  );
}

function leavesOf(expression: EventExpression): readonly EventCondition[] {
  return expression.kind === 'and' || expression.kind === 'or'
    ? expression.parts.flatMap(leavesOf)
    : [expression];
}

function isKnown(condition: EventCondition, { columns, hasTags }: NarrowFields): boolean {
  if (condition.kind === 'projects') return true;
  if (condition.kind !== 'text' && condition.kind !== 'present' && condition.kind !== 'number') return false;
  const { field } = condition;
  return field.kind === 'column' ? columns.has(field.name) : field.kind === 'tag' && hasTags;
}
