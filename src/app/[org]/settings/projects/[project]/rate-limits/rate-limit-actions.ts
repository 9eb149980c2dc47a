'use server';

import { revalidatePath } from 'next/cache';
import { type LimitsState, saveLimits } from '#app/[org]/settings/quotas/limits-state.ts';
import { getRequestContext } from '#app/request-context.ts';
import { isErrataError } from '#lib/errors.ts';
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

export type SpikeState = {
  /** What is wrong with the threshold. */
  thresholdError: string | null;
  error: string | null;
  /** Milliseconds since the epoch; null until it was saved. */
  savedAt: number | null;
};

export async function saveSpikeAction(
  orgSlug: string,
  projectSlug: string,
  previous: SpikeState,
  form: FormData,
): Promise<SpikeState> {
  const ctx = await getRequestContext(orgSlug);
  const text = String(form.get('bodiesPerHour') ?? '').replace(/[\s,']/g, '');
  const bodiesPerHour = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  try {
    await updateSpikeProtection(ctx, {
      projectSlug,
      spike: { isEnabled: form.has('isEnabled'), bodiesPerHour },
    });
  } catch (error) {
    if (!isErrataError(error)) throw error;
    const message = `${error.message}.`;
    return error.field === 'bodiesPerHour'
      ? { thresholdError: message, error: null, savedAt: previous.savedAt }
      : { thresholdError: null, error: message, savedAt: previous.savedAt };
  }
  revalidatePath(`/${orgSlug}/settings/projects/${projectSlug}/rate-limits`);
  return { thresholdError: null, error: null, savedAt: ctx.now() };
}
