'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { refusalOf } from '#app/[org]/settings/refusal.ts';
import { getRequestContext } from '#app/request-context.ts';
import { deleteAlertRule, setAlertRuleEnabled, snoozeAlertRule } from '#product/alerts/change-alert-rules.ts';

const MINUTE_MS = 60_000;

const PLACE = z.strictObject({ orgSlug: z.string().max(100), ruleId: z.number().int().positive() });
const SNOOZE = z.union([z.number().int().positive(), z.literal('until_woken'), z.null()]);

/** Answers what went wrong, or null; so do the others. */
export async function enableRuleAction(
  orgSlug: string,
  ruleId: number,
  isEnabled: boolean,
): Promise<string | null> {
  const place = PLACE.parse({ orgSlug, ruleId });
  const ctx = await getRequestContext(place.orgSlug);
  const refusal = await refusalOf(() => setAlertRuleEnabled(ctx, place.ruleId, isEnabled === true));
  revalidatePath(`/${place.orgSlug}/alerts`, 'layout');
  return refusal?.message ?? null;
}

/** For so many minutes, until somebody wakes it, or null to wake it. */
export async function snoozeRuleAction(
  orgSlug: string,
  ruleId: number,
  asked: number | 'until_woken' | null,
): Promise<string | null> {
  const place = PLACE.parse({ orgSlug, ruleId });
  const span = SNOOZE.parse(asked);
  const ctx = await getRequestContext(place.orgSlug);
  const until =
    span === null ? null : span === 'until_woken' ? Number.POSITIVE_INFINITY : ctx.now() + span * MINUTE_MS;
  const refusal = await refusalOf(() => snoozeAlertRule(ctx, place.ruleId, until));
  revalidatePath(`/${place.orgSlug}/alerts`, 'layout');
  return refusal?.message ?? null;
}

export async function deleteRuleAction(orgSlug: string, ruleId: number): Promise<string | null> {
  const place = PLACE.parse({ orgSlug, ruleId });
  const ctx = await getRequestContext(place.orgSlug);
  const refusal = await refusalOf(() => deleteAlertRule(ctx, place.ruleId));
  // Its page is left next: only then is it gone.
  if (refusal === null) revalidatePath(`/${place.orgSlug}/alerts`, 'page');
  return refusal?.message ?? null;
}
