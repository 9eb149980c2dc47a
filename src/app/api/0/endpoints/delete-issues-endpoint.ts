import { z } from 'zod';
import type { ApiAnswer } from '#app/api/0/handle-api-request.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { invalid, notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { deleteIssues } from '#product/issue-deletion/delete-issues.ts';
import { findMatchingIssues } from '#product/issues/list-issues.ts';
import { requireRight } from '#product/permissions.ts';
import { findIssue, type IssueParams } from './find-issue.ts';
import { readIds } from './update-issues-endpoint.ts';

const DELETE_ISSUE = {
  summary: 'Deletes an issue',
  scopes: ['event:admin'],
  answer: z.object({}),
  status: 202,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/events/remove-an-issue/ */
export const deleteIssueEndpoint = declare<IssueParams>(DELETE_ISSUE, async ({ caller, params }) => {
  const { ctx, issue } = await findIssue(caller, params);
  await deleteIssues(ctx, { issueIds: [issue.id], discard: false });
  return { body: {}, status: 202 };
});

/**
 * Deletes the issues that the query string names in `id`, as often as needed, or else those that `query` finds.
 * Source: https://docs.sentry.io/api/events/bulk-remove-a-list-of-issues/
 */
export async function deleteIssuesEndpoint(
  ctx: Context,
  url: URL,
  projectSlugs: readonly string[],
): Promise<ApiAnswer> {
  requireRight(ctx, 'event:admin');
  const named = readIds(url);
  const query = url.searchParams.get('query');
  if (named.length === 0 && query === null) {
    throw invalid('No issue is named: add ?id=… for each one that is to be deleted, or ?query=…', 'id');
  }
  const issueIds =
    named.length > 0
      ? named
      : (await findMatchingIssues(ctx, { query: query ?? '', projectSlugs })).map(({ id }) => id);
  const { deleted } = await deleteIssues(ctx, { issueIds, discard: false, projectSlugs });
  if (deleted.length === 0 && named.length > 0) throw notFound('None of these issues exists');
  return { body: null, status: 204 };
}
