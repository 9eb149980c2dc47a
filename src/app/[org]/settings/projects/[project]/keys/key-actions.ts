'use server';

import { revalidatePath } from 'next/cache';
import { getRequestContext } from '#app/request-context.ts';
import { isErrataError } from '#lib/errors.ts';
import { createProjectKey } from '#product/projects/create-project-key.ts';
import { setProjectKeyActive } from '#product/projects/set-project-key-active.ts';
import { updateProjectKey } from '#product/projects/update-project-key.ts';

/** Of the form that makes a key: the label as typed, kept when it was refused. */
export type NewKeyState = { label: string; error: string | null };

export async function createKeyAction(
  orgSlug: string,
  projectSlug: string,
  _previous: NewKeyState,
  form: FormData,
): Promise<NewKeyState> {
  const ctx = await getRequestContext(orgSlug);
  const label = String(form.get('label') ?? '');
  try {
    await createProjectKey(ctx, { projectSlug, label });
  } catch (error) {
    if (isErrataError(error)) return { label, error: `${error.message}.` };
    throw error;
  }
  revalidatePath(`/${orgSlug}/settings/projects/${projectSlug}/keys`);
  return { label: '', error: null };
}

/** Of the form that limits a key. */
export type KeyRateLimitState = {
  error: string | null;
  /** Milliseconds since the epoch; null until it was saved. */
  savedAt: number | null;
};

/** An empty number means no limit. */
export async function saveKeyRateLimitAction(
  orgSlug: string,
  projectSlug: string,
  keyId: number,
  previous: KeyRateLimitState,
  form: FormData,
): Promise<KeyRateLimitState> {
  const ctx = await getRequestContext(orgSlug);
  const text = String(form.get('count') ?? '').replace(/[\s,']/g, '');
  if (text !== '' && !/^\d{1,15}$/.test(text)) {
    return { error: 'Give a whole number, or nothing for no limit.', savedAt: previous.savedAt };
  }
  const windowSeconds = Number(form.get('window'));
  try {
    const rateLimit = text === '' ? null : { count: Number(text), windowSeconds };
    await updateProjectKey(ctx, { projectSlug, key: keyId, change: { rateLimit } });
  } catch (error) {
    if (isErrataError(error)) return { error: `${error.message}.`, savedAt: previous.savedAt };
    throw error;
  }
  revalidatePath(`/${orgSlug}/settings/projects/${projectSlug}/keys`);
  return { error: null, savedAt: ctx.now() };
}

/** Answers what went wrong, or null. */
export async function setKeyActiveAction(
  orgSlug: string,
  projectSlug: string,
  keyId: number,
  isActive: boolean,
): Promise<string | null> {
  const ctx = await getRequestContext(orgSlug);
  try {
    await setProjectKeyActive(ctx, { projectSlug, keyId, isActive });
  } catch (error) {
    if (isErrataError(error)) return `${error.message}.`;
    throw error;
  }
  revalidatePath(`/${orgSlug}/settings/projects/${projectSlug}/keys`);
  return null;
}
