'use server';

import { revalidatePath } from 'next/cache';
import { type FieldsState, fieldsStateOf } from '#app/[org]/settings/fields-state.ts';
import { refusalOf } from '#app/[org]/settings/refusal.ts';
import { getRequestContext } from '#app/request-context.ts';
import { getServices } from '#product/services.ts';
import {
  connectTracker,
  disconnectTracker,
  setHookSecret,
  updateTracker,
} from '#product/trackers/change-trackers.ts';

const FIELDS = ['name', 'url', 'login', 'token'];

/** What the webhook of a tracker needs, shown this once. */
export type HookFacts = { trackerId: number; hookUrl: string; hookSecret: string };

export type TrackerFormState = FieldsState & {
  /** Of a tracker that was connected just now; null before. */
  connected: HookFacts | null;
};

/** Connects a tracker of the kind, or changes the one with the number. */
export async function saveTrackerAction(
  orgSlug: string,
  kind: string,
  trackerId: number | null,
  _previous: TrackerFormState,
  form: FormData,
): Promise<TrackerFormState> {
  const ctx = await getRequestContext(orgSlug);
  const { openTracker } = getServices();
  const input = {
    name: textOf(form, 'name'),
    url: textOf(form, 'url') || null,
    login: textOf(form, 'login') || null,
    token: textOf(form, 'token'),
  };
  let connected: HookFacts | null = null;
  const state = await fieldsStateOf(
    async () => {
      if (trackerId !== null) {
        await updateTracker(ctx, openTracker, { ...input, trackerId });
        return;
      }
      const { tracker, hookSecret } = await connectTracker(ctx, openTracker, { ...input, kind });
      connected = { trackerId: tracker.id, hookUrl: tracker.hookUrl, hookSecret };
    },
    FIELDS,
    ctx.now(),
  );
  revalidatePath(`/${orgSlug}/settings/integrations`);
  return { ...state, connected };
}

export type HookSecretState = {
  /** null when nothing is wrong. */
  error: string | null;
  /** A new one, shown this once; null for one that was pasted. */
  hookSecret: string | null;
  /** Milliseconds since the epoch; null until it was saved. */
  savedAt: number | null;
};

/** Takes the secret that was pasted for the webhook, or makes a new one when none was. */
export async function saveHookSecretAction(
  orgSlug: string,
  trackerId: number,
  _previous: HookSecretState,
  form: FormData,
): Promise<HookSecretState> {
  const ctx = await getRequestContext(orgSlug);
  const given = form.has('hookSecret') ? textOf(form, 'hookSecret') : null;
  let made: string | null = null;
  const refusal = await refusalOf(async () => {
    const { hookSecret } = await setHookSecret(ctx, { trackerId, given });
    if (given === null) made = hookSecret;
  });
  if (refusal) return { error: refusal.message, hookSecret: null, savedAt: null };
  return { error: null, hookSecret: made, savedAt: ctx.now() };
}

/** Answers what went wrong, or null. */
export async function disconnectTrackerAction(orgSlug: string, trackerId: number): Promise<string | null> {
  const ctx = await getRequestContext(orgSlug);
  const refusal = await refusalOf(() => disconnectTracker(ctx, trackerId));
  revalidatePath(`/${orgSlug}/settings/integrations`);
  return refusal?.message ?? null;
}

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '');
