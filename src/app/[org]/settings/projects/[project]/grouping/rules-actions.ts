'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { getRequestContext } from '#app/request-context.ts';
import { isErrataError } from '#lib/errors.ts';
import { applyGroupingRules } from '#product/grouping/apply-grouping-rules.ts';
import { cancelRegroup } from '#product/grouping/cancel-regroup.ts';
import { checkGroupingRules, type RuleProblems } from '#product/grouping/check-grouping-rules.ts';
import type { RegroupPreview } from '#product/grouping/describe-preview.ts';
import { previewGroupingRules } from '#product/grouping/preview-grouping-rules.ts';
import { requireRight } from '#product/permissions.ts';

const DAY_MS = 86_400_000;
/** What the action takes from the page; the verb has the bound that counts. */
const TEXT_CHARACTERS_MAX = 1_000_000;

const PLACE = { orgSlug: z.string().max(100), projectSlug: z.string().max(100) };
const TEXTS = z.strictObject({
  fingerprint: z.string().max(TEXT_CHARACTERS_MAX),
  stackTrace: z.string().max(TEXT_CHARACTERS_MAX),
});
const PREVIEW = z.strictObject({ ...PLACE, texts: TEXTS, days: z.number().int().min(1).max(90) });
const APPLY = z.strictObject({
  ...PLACE,
  texts: TEXTS,
  to: z.enum(['new', 'history']),
  basedOn: z.number().int().min(0),
  /** The version that the texts are of, unchanged; null when they were edited. */
  restore: z.number().int().min(1).nullable(),
});
const CANCEL = z.strictObject({ orgSlug: z.string().max(100), changeId: z.number().int().positive() });

type Failure = { problems: RuleProblems | null; error: string | null };
export type PreviewResult = Failure & { preview: RegroupPreview | null };
export type ApplyResult = Failure & { ok: boolean };

const NO_FAILURE: Failure = { problems: null, error: null };

export async function previewRulesAction(input: z.infer<typeof PREVIEW>): Promise<PreviewResult> {
  const { orgSlug, projectSlug, texts, days } = PREVIEW.parse(input);
  const ctx = await getRequestContext(orgSlug);
  try {
    requireRight(ctx, 'project:write');
    const { problems } = checkGroupingRules(texts);
    if (hasProblems(problems)) return { problems, error: null, preview: null };
    const toMs = ctx.now() + DAY_MS;
    const range = { fromMs: ctx.now() - days * DAY_MS, toMs };
    return { ...NO_FAILURE, preview: await previewGroupingRules(ctx, { projectSlug, texts, range }) };
  } catch (error) {
    return { ...failureOf(error), preview: null };
  }
}

export async function applyRulesAction(input: z.infer<typeof APPLY>): Promise<ApplyResult> {
  const { orgSlug, projectSlug, texts, to, basedOn, restore } = APPLY.parse(input);
  const ctx = await getRequestContext(orgSlug);
  try {
    requireRight(ctx, 'project:write');
    const { problems } = checkGroupingRules(texts);
    if (hasProblems(problems)) return { problems, error: null, ok: false };
    const rules = restore === null ? texts : { restore };
    await applyGroupingRules(ctx, { projectSlug, to, basedOn, rules });
    revalidatePath(`/${orgSlug}`, 'layout');
    return { ...NO_FAILURE, ok: true };
  } catch (error) {
    return { ...failureOf(error), ok: false };
  }
}

/** Answers what went wrong; null when it did not. */
export async function cancelRegroupAction(input: z.infer<typeof CANCEL>): Promise<string | null> {
  const { orgSlug, changeId } = CANCEL.parse(input);
  try {
    await cancelRegroup(await getRequestContext(orgSlug), changeId);
    revalidatePath(`/${orgSlug}`, 'layout');
    return null;
  } catch (error) {
    return failureOf(error).error;
  }
}

const hasProblems = ({ fingerprint, stackTrace }: RuleProblems): boolean =>
  fingerprint.length + stackTrace.length > 0;

function failureOf(error: unknown): Failure {
  if (isErrataError(error)) return { problems: null, error: `${error.message}.` };
  throw error;
}
