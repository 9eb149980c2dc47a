'use server';

import { z } from 'zod';
import { action } from '#app/forms/action.ts';
import { MINUTE_MS } from '#lib/time.ts';
import { deleteAlertRule, setAlertRuleEnabled, snoozeAlertRule } from '#product/alerts/change-alert-rules.ts';

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

export const deleteRuleAction = action({
  input: ID,
  run: deleteAlertRule,
  // The page of the rule is left next: only then is it gone.
  revalidates: '/alerts',
});
