'use server';

import { z } from 'zod';
import { action } from '#app/forms/action.ts';
import { restoreDiscardedIssue } from '#product/issue-deletion/delete-issues.ts';

export const restoreAction = action({
  input: z.strictObject({ projectSlug: z.string().max(100), discardedId: z.number().int().positive() }),
  run: restoreDiscardedIssue,
});
