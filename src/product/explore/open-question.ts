import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { openEventSearch } from '#product/search/read-event-search.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import type { EventScope } from '#storage/ports/events.ts';
import { EVERYTHING, type EventExpression } from '#storage/ports/search.ts';

/** Which stored events somebody asks about. */
export type Question = {
  /** In the search's syntax; empty for every event. */
  query: string;
  /** Empty for all that are visible; so are the environments. */
  projectSlugs: readonly string[];
  environments: readonly string[];
  range: Range;
};

/** Which events a question is about; an empty `and` is every one. */
type AskedEvents = { range: Range; expression: EventExpression };

type OpenQuestion = { projects: readonly Project[]; scope: EventScope; asked: AskedEvents };

/** Throws Invalid for a bad search or an empty range, NotFound for a project that is not visible. */
export async function openQuestion(ctx: Context, question: Question): Promise<OpenQuestion> {
  requireRight(ctx, 'event:read');
  checkRange(question.range);
  const projects = await selectProjects(ctx, question.projectSlugs);
  const { expression = EVERYTHING } = await openEventSearch(
    ctx,
    question.query,
    projects,
    question.environments,
  );
  return {
    projects,
    scope: eventScope(ctx, projects),
    asked: { range: question.range, expression },
  };
}
