import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { getIssue } from '#product/issues/get-issue.ts';

/** Of the address of a page: the issue, and the event when it names one. */
const PAGE = /\/issues\/([^/?#]+)(?:\/events\/([^/?#]+))?/;

/** By short id, number or the address of its page; `event` is the event that the address names. Throws NotFound. */
export async function findIssue(ctx: Context, text: string): Promise<{ issue: Issue; event: string | null }> {
  const [, named = text, event = null] = PAGE.exec(text) ?? [];
  return { issue: await getIssue(ctx, named.trim()), event };
}
