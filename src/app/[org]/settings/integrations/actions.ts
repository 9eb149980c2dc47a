'use server';

import { z } from 'zod';
import { HOOK_SECRET_FIELDS, TRACKER_FIELDS } from '#app/[org]/settings/organization-fields.ts';
import { action, answeringFormAction, formAction } from '#app/forms/action.ts';
import { getServices } from '#product/services.ts';
import {
  connectTracker,
  disconnectTracker,
  setHookSecret,
  updateTracker,
} from '#product/trackers/trackers.ts';

const ID = z.number().int().positive();

/** What the webhook of a tracker needs, shown this once. */
type HookFacts = { trackerId: number; hookUrl: string; hookSecret: string };

/** Connects a tracker of the kind, or changes the one with the ID. The result is of one that was connected. */
export const saveTrackerAction = answeringFormAction({
  fields: TRACKER_FIELDS,
  place: z.strictObject({ kind: z.string().max(100), trackerId: ID.nullable() }),
  save: async (ctx, { name, url, login, token }, { kind, trackerId }): Promise<HookFacts | null> => {
    const { openTracker } = getServices();
    const input = { name, url: url || null, login: login || null, token };
    if (trackerId !== null) {
      await updateTracker(ctx, openTracker, { ...input, trackerId });
      return null;
    }
    const { tracker, hookSecret } = await connectTracker(ctx, openTracker, { ...input, kind });
    return { trackerId: tracker.id, hookUrl: tracker.hookUrl, hookSecret };
  },
});

/** Takes the secret that was pasted for the webhook. */
export const pasteHookSecretAction = formAction({
  fields: HOOK_SECRET_FIELDS,
  place: z.strictObject({ trackerId: ID }),
  save: (ctx, { hookSecret }, { trackerId }) => setHookSecret(ctx, { trackerId, given: hookSecret }),
});

/** Generates a secret for the webhook; the result is shown once. */
export const generateHookSecretAction = answeringFormAction({
  fields: {},
  place: z.strictObject({ trackerId: ID }),
  save: async (ctx, _, { trackerId }) => {
    const { hookSecret } = await setHookSecret(ctx, { trackerId, given: null });
    return hookSecret;
  },
});

export const disconnectTrackerAction = action({ input: ID, run: disconnectTracker });
