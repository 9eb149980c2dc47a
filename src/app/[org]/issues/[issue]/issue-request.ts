import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { readListPage } from '#app/[org]/cursor-pager.tsx';
import { decodeSegment } from '#app/shell/sections.ts';
import { type TimeRange, timeEntries } from '#app/url-state.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { isErrataError } from '#lib/errors.ts';
import { type OrUnavailable, orUnavailable } from '#lib/or-unavailable.ts';
import { visibleData } from '#lib/visible-text.ts';
import type { Context } from '#product/context.ts';
import { getIssue } from '#product/issues/get-issue.ts';
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

/** The time in the address of a page that without it shows any time. */
export const countedTime = (time: TimeRange): Readonly<Record<string, string | null>> =>
  time.kind === 'last' ? { range: time.period } : timeEntries(time);

/** As `readListPage`, or why the list is unavailable. */
export const readPage = <T>(
  cursor: string | null,
  read: (cursor: string | null) => Promise<T>,
): Promise<OrUnavailable<T>> => readListPage(cursor, (from) => orUnavailable(read(from)));
