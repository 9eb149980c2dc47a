'use server';

import { z } from 'zod';
import { formAction } from '#app/forms/action.ts';
import { invalid } from '#lib/errors.ts';
import { updateProjectBudget, updateRetentionDays } from '#product/retention/storage-settings.ts';
import { BUDGET_FIELDS, RETENTION_FIELDS } from './storage-fields.ts';

const BYTES_PER_GIB = 1024 ** 3;

export const saveRetentionAction = formAction({
  fields: RETENTION_FIELDS,
  place: z.null(),
  save: async (ctx, days) => {
    await updateRetentionDays(ctx, days);
    return null;
  },
});

export const saveBudgetAction = formAction({
  fields: BUDGET_FIELDS,
  place: z.null(),
  save: async (ctx, { project, budget }) => {
    const projectId = Number(project);
    if (!Number.isSafeInteger(projectId) || projectId < 1) throw invalid('Choose a project', 'project');
    const bytes = budget === null ? null : Math.round(budget * BYTES_PER_GIB);
    await updateProjectBudget(ctx, projectId, bytes);
    return null;
  },
});
