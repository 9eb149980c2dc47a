'use server';

import { refresh } from 'next/cache';
import { z } from 'zod';
import { isErrataError } from '#lib/errors.ts';
import { ISSUES_PER_UPDATE_MAX, updateIssues } from '#product/issues/update-issues.ts';
import { ISSUE_STATUSES, ISSUE_SUBSTATUSES, type IssueChange } from '#storage/ports/issues.ts';
import { getRequestContext } from '../../request-context.ts';
import { TRIAGE_VERBS, type TriageVerb, triageChange, type UndoEntry, undoChange } from './triage.ts';

export type TriageResult = { ok: true; undo: UndoEntry[] } | { ok: false; message: string };

const issueId = z.number().int().positive();
const TRIAGE_INPUT = z.object({
  organizationSlug: z.string().max(50),
  verb: z.enum(TRIAGE_VERBS),
  issueIds: z.array(issueId).min(1).max(ISSUES_PER_UPDATE_MAX),
});
const UNDO_INPUT = z.object({
  organizationSlug: z.string().max(50),
  verb: z.enum(TRIAGE_VERBS),
  entries: z
    .array(
      z.object({
        issueId,
        status: z.enum(ISSUE_STATUSES),
        substatus: z.enum(ISSUE_SUBSTATUSES).nullable(),
        assigneeUserId: z.string().max(100).nullable(),
      }),
    )
    .min(1)
    .max(ISSUES_PER_UPDATE_MAX),
});

/** Resolves, archives, assigns … issues as the signed-in user. Answers what undo needs. */
export async function triageIssues(input: {
  organizationSlug: string;
  verb: TriageVerb;
  issueIds: number[];
}): Promise<TriageResult> {
  const { organizationSlug, verb, issueIds } = TRIAGE_INPUT.parse(input);
  const ctx = await getRequestContext(organizationSlug);
  if (ctx.actor.kind !== 'user') return { ok: false, message: 'Sign in to change issues' };
  const change = triageChange(verb, ctx.actor.userId);
  try {
    const { before } = await updateIssues(ctx, { issueIds, change });
    refresh();
    return {
      ok: true,
      undo: before.map((issue) => ({
        issueId: issue.id,
        status: issue.status,
        substatus: issue.substatus,
        assigneeUserId: issue.assignee?.userId ?? null,
      })),
    };
  } catch (error) {
    return failure(error);
  }
}

/** Puts issues back to how they were before a verb. */
export async function undoTriage(input: {
  organizationSlug: string;
  verb: TriageVerb;
  entries: UndoEntry[];
}): Promise<TriageResult> {
  const { organizationSlug, verb, entries } = UNDO_INPUT.parse(input);
  const ctx = await getRequestContext(organizationSlug);
  try {
    for (const { change, issueIds } of groupByChange(verb, entries)) {
      await updateIssues(ctx, { issueIds, change });
    }
    refresh();
    return { ok: true, undo: [] };
  } catch (error) {
    return failure(error);
  }
}

/** Issues that go back to the same state go together. */
function groupByChange(
  verb: TriageVerb,
  entries: readonly UndoEntry[],
): { change: IssueChange; issueIds: number[] }[] {
  const groups = new Map<string, { change: IssueChange; issueIds: number[] }>();
  for (const entry of entries) {
    const change = undoChange(verb, entry);
    const key = JSON.stringify(change);
    const group = groups.get(key) ?? { change, issueIds: [] };
    group.issueIds.push(entry.issueId);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function failure(error: unknown): TriageResult {
  if (isErrataError(error)) return { ok: false, message: error.message };
  throw error;
}
