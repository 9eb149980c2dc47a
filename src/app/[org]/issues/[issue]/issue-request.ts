import { notFound } from 'next/navigation';
import { cache } from 'react';
import { isErrataError } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import type { Issue } from '#storage/ports/issues.ts';
import { getRequestContext } from '../../../request-context.ts';

/** The issue of the address and who asks; the not-found page when there is none. Once per request. */
export const getIssueRequest = cache(
  async (organizationSlug: string, issueReference: string): Promise<{ ctx: Context; issue: Issue }> => {
    const ctx = await getRequestContext(organizationSlug);
    try {
      return { ctx, issue: await getIssue(ctx, decode(issueReference)) };
    } catch (error) {
      if (isErrataError(error) && error.code === 'not_found') notFound();
      throw error;
    }
  },
);

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
