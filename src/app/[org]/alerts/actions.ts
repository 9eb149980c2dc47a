'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, answeringAction } from '#app/forms/action.ts';
import { getRequestContext } from '#app/request-context.ts';
import { RECEIVERS_MAX } from '#domain/alerts/alert-definition.ts';
import { isErrataError } from '#lib/errors.ts';
import { MINUTE_MS } from '#lib/time.ts';
import {
  createAlertRule,
  deleteAlertRule,
  setAlertRuleEnabled,
  snoozeAlertRule,
  updateAlertRule,
} from '#product/alerts/change-alert-rules.ts';
import { testRoutes } from '#product/alerts/test-routes.ts';
import { getServices } from '#product/services.ts';
import { partOf, type RuleProblems } from './rule-form/rule-draft.ts';

const SLUG = z.string().max(100);
const OWNER = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('user'), userId: z.string().max(100) }),
    z.strictObject({ kind: z.literal('team'), teamId: z.number().int() }),
  ])
  .nullable();
/** The verb checks the definition. */
const INPUT = z.strictObject({
  name: z.string().max(1_000),
  environment: z.string().max(1_000).nullable(),
  owner: OWNER,
  definition: z.unknown(),
});
const SAVE = z.strictObject({
  orgSlug: SLUG,
  projectSlug: SLUG,
  ruleId: z.number().int().positive().nullable(),
  input: INPUT,
});
type SaveResult =
  | { ok: true; ruleId: number }
  /** `error` is about the whole; null when single parts of the form say it. */
  | { ok: false; problems: RuleProblems; error: string | null };

/** Creates a rule, or updates the one with the ID. */
export async function saveRuleAction(sent: z.input<typeof SAVE>): Promise<SaveResult> {
  const { orgSlug, projectSlug, ruleId, input } = SAVE.parse(sent);
  const ctx = await getRequestContext(orgSlug);
  try {
    const { rule } =
      ruleId === null
        ? await createAlertRule(ctx, { projectSlug, ...input })
        : await updateAlertRule(ctx, ruleId, input);
    revalidatePath(`/${orgSlug}`, 'layout');
    return { ok: true, ruleId: rule.id };
  } catch (error) {
    return failureOf(error);
  }
}

/** Parts of the form that have a place for a sentence. */
const PARTS: ReadonlySet<string> = new Set([
  'name',
  'triggers',
  'receivers',
  'query',
  'critical',
  'warning',
  'resolve',
]);

function failureOf(error: unknown): { ok: false; problems: RuleProblems; error: string | null } {
  if (!isErrataError(error)) throw error;
  const message = `${error.message}.`;
  const part = error.field === null ? '' : partOf(error.field);
  return PARTS.has(part) || part.startsWith('filters.')
    ? { ok: false, problems: { [part]: message }, error: null }
    : { ok: false, problems: {}, error: message };
}

const ID = z.number().int().positive();

export const enableRuleAction = action({
  input: z.strictObject({ ruleId: ID, isEnabled: z.boolean() }),
  run: (ctx, { ruleId, isEnabled }) => setAlertRuleEnabled(ctx, ruleId, isEnabled),
});

/** Snoozes for so many minutes or until somebody unsnoozes it; null unsnoozes it. */
export const snoozeRuleAction = action({
  input: z.strictObject({ ruleId: ID, minutes: z.union([ID, z.literal('until_woken'), z.null()]) }),
  run: (ctx, { ruleId, minutes }) => {
    if (minutes === null) return snoozeAlertRule(ctx, ruleId, null);
    const untilMs = minutes === 'until_woken' ? Number.POSITIVE_INFINITY : ctx.now() + minutes * MINUTE_MS;
    return snoozeAlertRule(ctx, ruleId, untilMs);
  },
});

const ROUTE = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('email') }),
  z.strictObject({ kind: z.literal('destination'), destinationId: ID }),
]);

/** Sends a real message that says it is a test on each route. */
export const testRoutesAction = answeringAction({
  input: z.array(ROUTE).min(1).max(RECEIVERS_MAX),
  run: (ctx, routes) => testRoutes(ctx, getServices(), routes),
});

export const deleteRuleAction = action({
  input: ID,
  run: deleteAlertRule,
  // The page of the rule is left next: only then is it gone.
  revalidates: '/alerts',
});
