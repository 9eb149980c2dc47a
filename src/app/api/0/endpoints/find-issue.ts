import { type ApiCaller, contextOf } from '#app/api/0/api-caller.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { isErrataError, notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { getIssue } from '#product/issues/get-issue.ts';

/** Parts of a path that name an issue: by number or short id, in the organization when the path has one. */
export type IssueParams = { org?: string; issue: string };

/** The issue, in the first of the caller's organizations that has it. Throws NotFound. */
export async function findIssue(
  caller: ApiCaller,
  params: IssueParams,
): Promise<{ ctx: Context; issue: Issue }> {
  const contexts = params.org === undefined ? caller.contexts : [contextOf(caller, params.org)];
  for (const ctx of contexts) {
    const issue = await getIssue(ctx, params.issue).catch(ignoreNotFound);
    if (issue) return { ctx, issue };
  }
  throw notFound(`The issue "${params.issue.slice(0, 80)}" does not exist`);
}

function ignoreNotFound(error: unknown): null {
  if (isErrataError(error) && error.code === 'not_found') return null;
  throw error;
}
