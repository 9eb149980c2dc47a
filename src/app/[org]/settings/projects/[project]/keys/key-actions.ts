'use server';

import { revalidatePath } from 'next/cache';
import { getRequestContext } from '#app/request-context.ts';
import { isErrataError } from '#lib/errors.ts';
import { createProjectKey } from '#product/projects/create-project-key.ts';
import { setProjectKeyActive } from '#product/projects/set-project-key-active.ts';

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
