'use server';

import { z } from 'zod';
import { formAction } from '#app/forms/action.ts';
import { updateOrganizationLimits } from '#product/quotas/limits.ts';
import { LIMIT_FIELDS, limitsOf } from './limit-fields.ts';

export const saveQuotasAction = formAction({
  fields: LIMIT_FIELDS,
  place: z.null(),
  save: async (ctx, input) => {
    await updateOrganizationLimits(ctx, limitsOf(input));
    return null;
  },
});
