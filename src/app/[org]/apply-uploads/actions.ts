'use server';

import { z } from 'zod';
import { action } from '#app/forms/action.ts';
import { cancelReprocess, startReprocess } from '#product/symbolication/reprocesses.ts';

const ID = z.number().int().positive();

export const applyUploadsAction = action({
  input: z.strictObject({
    projectSlug: z.string().max(100),
    scope: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('release'), version: z.string().max(250) }),
      z.strictObject({ kind: z.literal('issue'), issueId: ID }),
      z.strictObject({ kind: z.literal('bundle'), bundleId: ID }),
    ]),
  }),
  run: startReprocess,
});

export const cancelApplyAction = action({ input: ID, run: cancelReprocess });
