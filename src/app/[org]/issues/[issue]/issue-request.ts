import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
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

/**
 * The issue of the address, its texts as people can see all of them, and who asks; the not-found page when there is none. One that became part of another leads to
 * the same page of that one. Once per request.
 */
export const getIssueRequest = cache(
  async (organizationSlug: string, issueReference: string): Promise<{ ctx: Context; issue: Issue }> => {
    const ctx = await getRequestContext(organizationSlug);
    const issue = await findIssue(ctx, decode(issueReference));
    await leadOn(ctx, issue, issueReference);
    return { ctx, issue };
  },
);

async function findIssue(ctx: Context, reference: string): Promise<Issue> {
  try {
    return visibleData(await getIssue(ctx, reference));
  } catch (error) {
    if (isErrataError(error) && error.code === 'not_found') notFound();
    throw error;
  }
}

/** Not for good: the other issue may be there again. */
async function leadOn(ctx: Context, issue: Issue, reference: string): Promise<void> {
  const asked = decode(reference).toUpperCase();
  if (asked === issue.shortId.toUpperCase() || asked === String(issue.id)) return;
  const base = `/${ctx.organization.slug}/issues`;
  const path = returnPath((await headers()).get(PATH_HEADER)) ?? '';
  const rest = path.startsWith(`${base}/${reference}`) ? path.slice(`${base}/${reference}`.length) : '';
  redirect(`${base}/${issue.shortId}${rest}`);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** As it stands in an address whose page would be of any time without it. */
export const countedTime = (time: TimeRange): Readonly<Record<string, string | null>> =>
  time.kind === 'last' ? { range: time.period } : timeEntries(time);

/** A page of a list. A cursor that cannot be read, as in an edited address, shows the first page instead. */
export async function readPage<T>(
  cursor: string | null,
  read: (cursor: string | null) => Promise<T>,
): Promise<OrUnavailable<T>> {
  try {
    return await orUnavailable(read(cursor));
  } catch (error) {
    if (!cursor || !isErrataError(error) || error.code !== 'invalid') throw error;
    return orUnavailable(read(null));
  }
}
