import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { readListPage } from '#app/[org]/cursor-pager.tsx';
import { decodeSegment } from '#app/shell/navigation-sections.ts';
import {
  filterEntries,
  firstValue,
  type PageFilters,
  parsePageFilters,
  type QueryEntries,
  type SearchParams,
  timeBounds,
} from '#app/url-state.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { isErrataError } from '#lib/errors.ts';
import { type OrUnavailable, orUnavailable } from '#lib/or-unavailable.ts';
import { visibleData } from '#lib/visible-text.ts';
import type { Context } from '#product/context.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { type IssueEventFilter, openIssueFilter } from '#product/issues/issue-events.ts';
import { seenWithin } from '#product/search/open-issue-search.ts';
import type { Range } from '#product/time-buckets.ts';
import { getRequestContext } from '../../../request-context.ts';
import { PATH_HEADER } from '../../../request-names.ts';
import { returnPath } from '../../../return-path.ts';

export type IssueRequest = {
  ctx: Context;
  /** Its texts show invisible characters. */
  issue: Issue;
  /** The path of its page. */
  issueHref: string;
};

/**
 * Who asks, and the issue of the address; the not-found page when there is none. A merged issue redirects to the same
 * page of the issue it was merged into. Once per request.
 */
const getIssueRequest = cache(async (organizationSlug: string, reference: string): Promise<IssueRequest> => {
  const ctx = await getRequestContext(organizationSlug);
  const issue = await findIssue(ctx, decodeSegment(reference));
  await redirectMerged(ctx, issue, reference);
  return { ctx, issue, issueHref: `/${ctx.organization.slug}/issues/${issue.shortId}` };
});

export async function readIssueRequest(
  params: Promise<{ org: string; issue: string }>,
): Promise<IssueRequest> {
  const { org, issue } = await params;
  return getIssueRequest(org, issue);
}

async function findIssue(ctx: Context, reference: string): Promise<Issue> {
  try {
    return visibleData(await getIssue(ctx, reference));
  } catch (error) {
    if (isErrataError(error) && error.code === 'not_found') notFound();
    throw error;
  }
}

/** A temporary redirect: the merge may be undone. */
async function redirectMerged(ctx: Context, issue: Issue, reference: string): Promise<void> {
  const requested = decodeSegment(reference).toUpperCase();
  if (requested === issue.shortId.toUpperCase() || requested === String(issue.id)) return;
  const base = `/${ctx.organization.slug}/issues`;
  const path = returnPath((await headers()).get(PATH_HEADER)) ?? '';
  const rest = path.startsWith(`${base}/${reference}`) ? path.slice(`${base}/${reference}`.length) : '';
  redirect(`${base}/${issue.shortId}${rest}`);
}

export type IssueFilter = {
  filters: PageFilters;
  /** As it is typed, also when it cannot be read. */
  query: string;
  /** Why the query cannot be searched for; then every event of the range and the environments is shown. null when it can. */
  problem: string | null;
  /** Which events the page is about. */
  events: IssueEventFilter & { range: Range };
  /** True when not all events of the range are shown. */
  isNarrowed: boolean;
  /** The filter in the address of every view of the issue. */
  entries: QueryEntries;
};

/** What the views of an issue are narrowed to: environments, time and a search of its events. */
export async function readIssueFilter(
  { ctx, issue }: Pick<IssueRequest, 'ctx' | 'issue'>,
  search: SearchParams,
): Promise<IssueFilter> {
  const filters = parsePageFilters(search);
  const query = firstValue(search, 'query') ?? '';
  const bounds = timeBounds(filters.time, ctx.now());
  const range = seenWithin(ctx, bounds) ?? bounds;
  const { environments } = filters;
  const problem = await problemOf(openIssueFilter(ctx, issue, { range, environments, query }));
  return {
    filters,
    query,
    problem,
    events: { range, environments, query: problem === null ? query : '' },
    isNarrowed: environments.length > 0 || (problem === null && query.trim() !== ''),
    entries: { ...filterEntries(filters), query: query || null },
  };
}

async function problemOf(reading: Promise<unknown>): Promise<string | null> {
  try {
    await reading;
    return null;
  } catch (error) {
    if (isErrataError(error) && error.code === 'invalid') return error.message;
    throw error;
  }
}

/** The filter with one more term in its search. */
export function withTerm(entries: QueryEntries, term: string): QueryEntries {
  const query = typeof entries.query === 'string' ? entries.query.trim() : '';
  const own = /\bOR\b/.test(query) ? `(${query})` : query;
  return { ...entries, query: own === '' ? term : `${own} ${term}` };
}

/** As `readListPage`, or why the list is unavailable. */
export const readPage = <T>(
  cursor: string | null,
  read: (cursor: string | null) => Promise<T>,
): Promise<OrUnavailable<T>> => readListPage(cursor, (from) => orUnavailable(read(from)));
