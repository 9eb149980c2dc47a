import { revalidatePath } from 'next/cache';
import { getRequestContext } from '#app/request-context.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { isErrataError } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { getIssue } from '#product/issues/get-issue.ts';

/** The issue of a page: its organization's slug and its short id. */
export type IssuePlace = { organizationSlug: string; shortId: string };

export type ActionResult<Value = null> = { ok: true; value: Value } | { ok: false; message: string };

/** Does something with the issue of a page as the signed-in user, and draws the page anew; a refusal is told. */
export async function onIssue<Value>(
  { organizationSlug, shortId }: IssuePlace,
  act: (ctx: Context, issue: Issue) => Promise<Value>,
  { refreshes } = { refreshes: true },
): Promise<ActionResult<Value>> {
  const ctx = await getRequestContext(organizationSlug);
  try {
    const value = await act(ctx, await getIssue(ctx, shortId));
    if (refreshes) revalidatePath(`/${organizationSlug}`, 'layout');
    return { ok: true, value };
  } catch (error) {
    if (isErrataError(error)) return { ok: false, message: `${error.message}.` };
    throw error;
  }
}
