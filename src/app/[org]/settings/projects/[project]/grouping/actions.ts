'use server';

import { z } from 'zod';
import { action, answeringAction } from '#app/forms/action.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import type { RegroupPreview } from '#product/grouping/describe-preview.ts';
import type { GroupingRuleTexts } from '#product/grouping/grouping-change.ts';
import { cancelRegroup } from '#product/grouping/grouping-changes.ts';
import {
  applyGroupingRules,
  checkGroupingRules,
  type RuleProblems,
} from '#product/grouping/grouping-rules.ts';
import { previewGroupingRules } from '#product/grouping/preview-grouping-rules.ts';
import { requireRight } from '#product/permissions.ts';

/** A loose bound on what the page sends; the verb enforces the real one. */
const TEXT = z.string().max(1_000_000);
const DRAFT = {
  projectSlug: z.string().max(100),
  texts: z.strictObject({ fingerprint: TEXT, stackTrace: TEXT }),
};

/** `problems` are of single lines; with one of them nothing is done. */
type Checked = { problems: RuleProblems | null };

export const previewRulesAction = answeringAction({
  input: z.strictObject({ ...DRAFT, days: z.number().int().min(1).max(90) }),
  run: async (ctx, { projectSlug, texts, days }): Promise<Checked & { preview: RegroupPreview | null }> => {
    const problems = problemsOf(ctx, texts);
    if (problems) return { problems, preview: null };
    const range = { fromMs: ctx.now() - days * DAY_MS, toMs: ctx.now() + DAY_MS };
    return { problems: null, preview: await previewGroupingRules(ctx, { projectSlug, texts, range }) };
  },
  revalidates: 'nothing',
});

export const applyRulesAction = answeringAction({
  input: z.strictObject({
    ...DRAFT,
    to: z.enum(['new', 'history']),
    basedOn: z.number().int().min(0),
    /** The version that the texts are of, unchanged; null when they were edited. */
    restore: z.number().int().min(1).nullable(),
  }),
  run: async (ctx, { projectSlug, texts, to, basedOn, restore }): Promise<Checked> => {
    const problems = problemsOf(ctx, texts);
    if (problems) return { problems };
    const rules = restore === null ? texts : { restore };
    await applyGroupingRules(ctx, { projectSlug, to, basedOn, rules });
    return { problems: null };
  },
});

export const cancelRegroupAction = action({ input: z.number().int().positive(), run: cancelRegroup });

function problemsOf(ctx: Context, texts: GroupingRuleTexts): RuleProblems | null {
  requireRight(ctx, 'project:write');
  const { problems } = checkGroupingRules(texts);
  return problems.fingerprint.length + problems.stackTrace.length > 0 ? problems : null;
}
