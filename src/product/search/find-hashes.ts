import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import type { Range } from '#product/time-buckets.ts';
import { eventScope } from '#product/visible-projects.ts';
import type { EventExpression, IssueExpression } from '#storage/ports/search.ts';
import type { MixedExpression } from './combine.ts';

/** Of the grouping hashes whose events match one part of a search, so many are looked at: those seen last. */
export const HASHES_MAX = 20_000;
/** Parts of one search that are asked of events, each a query. */
export const EVENT_PARTS_MAX = 10;

/** `isCut`: a part matched more than the bound, so older issues may be missing. */
export type FoundIssues = { expression: IssueExpression; isCut: boolean };

/** Replaces what is asked of events by the grouping hashes of the events that match. Throws Invalid. */
export async function findHashes(
  ctx: Context,
  expression: MixedExpression,
  projectIds: readonly number[],
  range: Range | null,
): Promise<FoundIssues> {
  const parts = listEventParts(expression);
  if (parts.length > EVENT_PARTS_MAX) {
    throw invalid(
      `The search mixes issue and event conditions in ${parts.length} places (at most ${EVENT_PARTS_MAX} allowed): group the event conditions together`,
      'query',
    );
  }
  const scope = eventScope(ctx, projectIds);
  const found = new Map(
    await Promise.all(
      parts.map(
        async (part) => [part, await ctx.stores.events.findHashes(scope, part, range, HASHES_MAX)] as const,
      ),
    ),
  );
  return {
    expression: replace(expression),
    isCut: [...found.values()].some(({ isCut }) => isCut),
  };

  function replace(node: MixedExpression): IssueExpression {
    if (node.kind === 'events') return { kind: 'hashes', hashes: found.get(node.expression)?.hashes ?? [] };
    if (node.kind === 'and' || node.kind === 'or') return { kind: node.kind, parts: node.parts.map(replace) };
    return node;
  }
}

function listEventParts(node: MixedExpression): readonly EventExpression[] {
  if (node.kind === 'events') return [node.expression];
  return node.kind === 'and' || node.kind === 'or' ? node.parts.flatMap(listEventParts) : [];
}
