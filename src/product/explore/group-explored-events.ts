import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { checkLimit } from '#product/page-limit.ts';
import { type EventGroup, GROUP_SORTS, type GroupSort } from '#storage/ports/event-explore.ts';
import { readGroupField } from './explore-column.ts';
import { openQuestion, type Question } from './open-question.ts';

/** Values further down than this are reached by a narrower search. */
const OFFSET_MAX = 10_000;

export type GroupedEvents = {
  groups: readonly EventGroup[];
  /** How many values there are in all. */
  distinct: number;
  hasMore: boolean;
};

/**
 * The values of a field with their events, users, first and last time; a project is named by its slug. Throws as
 * `openQuestion`, and Invalid for what cannot be grouped by, or when it takes too long.
 */
export async function groupExploredEvents(
  ctx: Context,
  question: Question,
  by: { field: string; sort: GroupSort; isDescending: boolean; limit: number; offset: number },
): Promise<GroupedEvents> {
  checkLimit(by.limit);
  return await readGroups(ctx, question, by);
}

/** As `groupExploredEvents`, of as many groups as asked. */
export async function readGroups(
  ctx: Context,
  question: Question,
  by: { field: string; sort: GroupSort; isDescending: boolean; limit: number; offset: number },
): Promise<GroupedEvents> {
  if (!GROUP_SORTS.includes(by.sort)) {
    throw invalid(`Groups cannot be sorted by "${by.sort}": choose among ${GROUP_SORTS.join(', ')}`, 'sort');
  }
  if (!Number.isSafeInteger(by.offset) || by.offset < 0 || by.offset > OFFSET_MAX) {
    throw invalid(`At most ${OFFSET_MAX} values can be looked through: narrow the search`, 'offset');
  }
  const field = readGroupField(by.field);
  const { projects, scope, asked } = await openQuestion(ctx, question);
  const { groups, distinct } = await ctx.stores.eventExplore.groupBy(scope, asked, field, by);
  const slugs = new Map(projects.map((project) => [String(project.id), project.slug]));
  return {
    groups:
      field.kind === 'project'
        ? groups.map((group) => ({ ...group, value: slugs.get(group.value) ?? group.value }))
        : groups,
    distinct,
    hasMore: by.offset + groups.length < distinct,
  };
}
