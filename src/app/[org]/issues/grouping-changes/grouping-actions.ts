'use server';

import { z } from 'zod';
import { type Answer, answerOf } from '#app/forms/submit-form.ts';
import { getRequestContext } from '#app/request-context.ts';
import { undoGroupingChange } from '#product/grouping/grouping-changes.ts';
import {
  type MergePreview,
  mergeIssues,
  previewMerge,
  unmergeHashes,
} from '#product/grouping/merge-issues.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { attempt } from '../attempt.ts';

export type GroupingResult = Answer<{ changeId: number; shortId: string }>;

const slug = z.string().max(100);
const MERGE = z.strictObject({
  organizationSlug: slug,
  issueIds: z.array(z.number().int().positive()).min(2).max(1_000),
  /** The one that stays; absent for the one with most events. */
  targetId: z.number().int().positive().optional(),
});
const UNMERGE = z.strictObject({
  organizationSlug: slug,
  shortId: z.string().max(100),
  hashes: z.array(z.string().max(64)).min(1).max(1_000),
});
const UNDO = z.strictObject({ organizationSlug: slug, changeId: z.number().int().positive() });

/** Answers what a merge would change. */
export async function previewMergeAction(input: z.infer<typeof MERGE>): Promise<Answer<MergePreview>> {
  const { organizationSlug, ...merge } = MERGE.parse(input);
  return answerOf(async () => previewMerge(await getRequestContext(organizationSlug), merge));
}

export async function mergeAction(input: z.infer<typeof MERGE>): Promise<GroupingResult> {
  const { organizationSlug, ...merge } = MERGE.parse(input);
  return attempt(organizationSlug, async () => {
    const { target, change } = await mergeIssues(await getRequestContext(organizationSlug), merge);
    return { changeId: change.id, shortId: target.shortId };
  });
}

/** Answers the short id of the issue that has the hashes now. */
export async function unmergeAction(input: z.infer<typeof UNMERGE>): Promise<GroupingResult> {
  const { organizationSlug, shortId, hashes } = UNMERGE.parse(input);
  return attempt(organizationSlug, async () => {
    const ctx = await getRequestContext(organizationSlug);
    const { change, issueId } = await unmergeHashes(ctx, await getIssue(ctx, shortId), hashes);
    return { changeId: change.id, shortId: (await getIssue(ctx, String(issueId))).shortId };
  });
}

export async function undoChangeAction(input: z.infer<typeof UNDO>): Promise<GroupingResult> {
  const { organizationSlug, changeId } = UNDO.parse(input);
  return attempt(organizationSlug, async () => {
    const change = await undoGroupingChange(await getRequestContext(organizationSlug), changeId);
    return { changeId: change.id, shortId: '' };
  });
}
