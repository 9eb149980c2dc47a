'use server';

import { revalidatePath } from 'next/cache';
import { getRequestContext } from '#app/request-context.ts';
import { updateOrganizationLimits } from '#product/quotas/update-organization-limits.ts';
import { type LimitsState, saveLimits } from './limits-state.ts';

export async function saveQuotasAction(
  orgSlug: string,
  previous: LimitsState,
  form: FormData,
): Promise<LimitsState> {
  const ctx = await getRequestContext(orgSlug);
  const state = await saveLimits(previous, form, ctx.now(), (limits) =>
    updateOrganizationLimits(ctx, limits),
  );
  revalidatePath(`/${orgSlug}/settings/quotas`);
  return state;
}
