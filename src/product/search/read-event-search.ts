import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import type { EventExpression, GroupingKey } from '#storage/ports/search.ts';
import { buildTree, type SearchTree } from './combine.ts';
import { eventFilter, refuseProblem } from './event-filters.ts';
import { isIssueKey } from './issue-filters.ts';
import { inEnvironments, pastedText, releaseOfEvent } from './read-issue-search.ts';
import { PROJECT_KEYS, readProjects } from './read-projects.ts';
import { RELEASE_KEYS, readReleases } from './releases.ts';
import { filterProblem, openScope, type SearchScope, unknownValue } from './search-problem.ts';
import { parseSearch } from './syntax/parse-search.ts';
import { EVENT_KEYS } from './syntax/search-keys.ts';
import type { FilterToken, TextToken } from './syntax/search-tokens.ts';
import { readTexts, unescapeText } from './text-match.ts';
import { looksPasted, readWords } from './words.ts';

/** What a search for events asks of each. Throws Invalid, naming the character (the first is 1). */
export async function readEventSearch(
  ctx: Context,
  query: string,
  scope: SearchScope,
): Promise<EventExpression> {
  return await resolve(buildTree(parseSearch(query, EVENT_KEYS)));

  async function resolve(tree: SearchTree): Promise<EventExpression> {
    if (tree.kind === 'text') return textOf(tree);
    if (tree.kind === 'filter') return await resolveFilter(tree);
    const parts: EventExpression[] = [];
    for (const part of tree.parts) parts.push(await resolve(part));
    return { kind: tree.kind, parts };
  }

  async function resolveFilter(filter: FilterToken): Promise<EventExpression> {
    const { key } = filter;
    if (key.kind === 'simple' && RELEASE_KEYS.has(key.name)) {
      refuseProblem(filter);
      return releaseOfEvent(await readReleases(filter, scope), filter.isNegated);
    }
    if (key.kind === 'simple' && key.name === 'issue') return await ofIssue(ctx, filter, scope);
    if (key.kind === 'simple' && isProjectKey(key.name)) return readProjects(filter, scope);
    if (key.kind === 'simple' && isIssueKey(key.name)) {
      throw filterProblem(filter, 'applies to issues: use it in the issue search');
    }
    return looksPasted(filter) ? textOf(pastedText(filter)) : eventFilter(filter, scope.nowMs);
  }
}

const isProjectKey = (name: string): boolean => PROJECT_KEYS.some((key) => key === name);

const textOf = (token: TextToken): EventExpression => ({
  kind: 'and',
  parts: readWords(token).map((word) => ({ kind: 'words', ...word })),
});

/** Events of issues of the searched projects, given by their short id. */
async function ofIssue(ctx: Context, filter: FilterToken, scope: SearchScope): Promise<EventExpression> {
  refuseProblem(filter);
  const { issues } = ctx.stores;
  const searched = new Set(scope.projects.map(({ id }) => id));
  const keys: GroupingKey[] = [];
  for (const value of readTexts(filter)) {
    const issue = await issues.findByShortId(ctx.organization.id, unescapeText(value.text));
    if (!issue || !searched.has(issue.projectId))
      throw unknownValue(filter, value, "an issue's short ID, such as WEB-3F");
    const hashes = await issues.listHashes(ctx.organization.id, [issue.id]);
    for (const hash of hashes.get(issue.id) ?? []) keys.push({ projectId: issue.projectId, hash });
  }
  return { kind: 'hashes', hashes: keys, isNegated: filter.isNegated };
}

/** The conditions of an event search, in one of the environments unless empty. Throws Invalid, naming the character. */
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
