import type { Context } from '#product/context.ts';
import type { Project } from '#storage/ports/projects.ts';
import type { EventExpression } from '#storage/ports/search.ts';
import { readEventSearch } from './read-event-search.ts';
import { inEnvironments } from './read-issue-search.ts';
import { openScope } from './search-scope.ts';

/**
 * What a list of events is asked for, of one of the environments unless none is given; nothing for an empty search.
 * Throws Invalid, naming the character.
 */
export async function openEventSearch(
  ctx: Context,
  query: string | undefined,
  projects: readonly Project[],
  environments: readonly string[] = [],
): Promise<{ expression?: EventExpression }> {
  const parts: EventExpression[] = environments.length > 0 ? [inEnvironments(environments)] : [];
  if (query !== undefined && query.trim() !== '') {
    parts.push(await readEventSearch(ctx, query, openScope(ctx, projects)));
  }
  return parts.length === 0 ? {} : { expression: { kind: 'and', parts } };
}
