import { type Answer, answerOf } from '#app/forms/submit-form.ts';
import { getRequestContext } from '#app/request-context.ts';
import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { attempt } from '../../attempt.ts';

/** The issue of a page: its organization's slug and its short id. */
export type IssuePlace = { organizationSlug: string; shortId: string };

export type ActionResult<Value = null> = Answer<Value>;

/** Reads something of the issue of a page as the signed-in user; a refusal is answered as a sentence. */
export async function readIssue<Value>(
  { organizationSlug, shortId }: IssuePlace,
  read: (ctx: Context, issue: Issue) => Promise<Value>,
  run: (work: () => Promise<Value>) => Promise<Answer<Value>> = answerOf,
): Promise<ActionResult<Value>> {
  const ctx = await getRequestContext(organizationSlug);
  const answer = await run(async () => read(ctx, await getIssue(ctx, shortId)));
  return answer.ok ? answer : { ...answer, message: `${answer.message}.` };
}

/** As `readIssue`, for what changes the issue: its pages are shown anew. */
export const onIssue = <Value>(
  place: IssuePlace,
  act: (ctx: Context, issue: Issue) => Promise<Value>,
): Promise<ActionResult<Value>> => readIssue(place, act, (work) => attempt(place.organizationSlug, work));

/** As `onIssue`, without an answer. */
export const changeIssue = (
  place: IssuePlace,
  act: (ctx: Context, issue: Issue) => Promise<unknown>,
): Promise<ActionResult> =>
  onIssue(place, async (ctx, issue) => {
    await act(ctx, issue);
    return null;
  });
