'use server';

import { z } from 'zod';
import { LIMIT_FIELDS, limitsOf } from '#app/[org]/settings/quotas/limit-fields.ts';
import { formAction } from '#app/forms/action.ts';
import { updateProjectLimits } from '#product/quotas/limits.ts';
import { updateSpikeProtection } from '#product/quotas/spike-protection.ts';
import { SPIKE_FIELDS } from './spike-fields.ts';

const PROJECT = z.strictObject({ projectSlug: z.string().max(100) });

export const saveProjectLimitsAction = formAction({
  fields: LIMIT_FIELDS,
  place: PROJECT,
  save: async (ctx, input, { projectSlug }) => {
    await updateProjectLimits(ctx, { projectSlug, limits: limitsOf(input) });
    return null;
  },
});

export const saveSpikeAction = formAction({
  fields: SPIKE_FIELDS,
  place: PROJECT,
  save: async (ctx, spike, { projectSlug }) => {
    await updateSpikeProtection(ctx, { projectSlug, spike });
    return null;
  },
});
