'use server';

import { revalidatePath } from 'next/cache';
import { type LimitsState, saveLimits } from '#app/[org]/settings/quotas/limits-state.ts';
import { readCount } from '#app/[org]/settings/read-count.ts';
import { refusalOf } from '#app/[org]/settings/refusal.ts';
import type { SettingsState } from '#app/[org]/settings/use-settings-form.ts';
import { getRequestContext } from '#app/request-context.ts';
import { updateProjectLimits } from '#product/quotas/update-project-limits.ts';
import { updateSpikeProtection } from '#product/quotas/update-spike-protection.ts';

export async function saveProjectLimitsAction(
  orgSlug: string,
  projectSlug: string,
  previous: LimitsState,
  form: FormData,
): Promise<LimitsState> {
  const ctx = await getRequestContext(orgSlug);
  const state = await saveLimits(previous, form, ctx.now(), (limits) =>
    updateProjectLimits(ctx, { projectSlug, limits }),
  );
  revalidatePath(`/${orgSlug}/settings/projects/${projectSlug}/rate-limits`);
  return state;
}

export type SpikeState = SettingsState & {
  /** What is wrong with the threshold. */
  thresholdError: string | null;
};

export async function saveSpikeAction(
  orgSlug: string,
  projectSlug: string,
  previous: SpikeState,
  form: FormData,
): Promise<SpikeState> {
  const ctx = await getRequestContext(orgSlug);
  const bodiesPerHour = readCount(form, 'bodiesPerHour') ?? Number.NaN;
  const spike = { isEnabled: form.has('isEnabled'), bodiesPerHour };
  const refusal = await refusalOf(() => updateSpikeProtection(ctx, { projectSlug, spike }));
  if (refusal) {
    const { savedAt } = previous;
    return refusal.field === 'bodiesPerHour'
      ? { thresholdError: refusal.message, error: null, savedAt }
      : { thresholdError: null, error: refusal.message, savedAt };
  }
  revalidatePath(`/${orgSlug}/settings/projects/${projectSlug}/rate-limits`);
  return { thresholdError: null, error: null, savedAt: ctx.now() };
}
