'use server';

import { z } from 'zod';
import { action } from '#app/forms/action.ts';
import { updateRelease } from '#product/releases/save-release.ts';

/** Archives a release, or unarchives it. */
export const setReleaseStatusAction = action({
  input: z.strictObject({ version: z.string().max(250), status: z.enum(['open', 'archived']) }),
  run: (ctx, { version, status }) => updateRelease(ctx, { version, projectSlugs: [], change: { status } }),
});
