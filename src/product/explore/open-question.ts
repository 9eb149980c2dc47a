import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { openEventSearch } from '#product/search/open-event-search.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import type { AskedEvents } from '#storage/ports/event-explore.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type { Project } from '#storage/ports/projects.ts';
import { EVERYTHING } from '#storage/ports/search.ts';

/** Which stored events somebody asks about. */
export type Question = {
  /** In the search's syntax; empty for every event. */
  query: string;
  /** Empty for all that are visible; so are the environments. */
  projectSlugs: readonly string[];
  environments: readonly string[];
  range: Range;
};

export type OpenQuestion = { projects: readonly Project[]; scope: EventScope; asked: AskedEvents };

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
    scope: eventScope(
      ctx,
      projects.map((project) => project.id),
    ),
    asked: { range: question.range, expression },
  };
}
