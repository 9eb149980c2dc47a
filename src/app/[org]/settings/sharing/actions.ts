'use server';

import { z } from 'zod';
import { action } from '#app/forms/action.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { setSharingAllowed, stopSharing } from '#product/sharing/sharing.ts';

export const allowSharingAction = action({ input: z.boolean(), run: setSharingAllowed });

export const stopSharingIssueAction = action({
  input: z.string().max(100),
  run: async (ctx, shortId) => stopSharing(ctx, await getIssue(ctx, shortId)),
});
