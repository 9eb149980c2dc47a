'use server';

import { revalidatePath } from 'next/cache';
import type { CreateState } from '#app/[org]/settings/create-form.tsx';
import { readCount } from '#app/[org]/settings/read-count.ts';
import { refusalOf } from '#app/[org]/settings/refusal.ts';
import type { SettingsState } from '#app/[org]/settings/use-settings-form.ts';
import { getRequestContext } from '#app/request-context.ts';
import { createProjectKey } from '#product/projects/create-project-key.ts';
import { setProjectKeyActive } from '#product/projects/set-project-key-active.ts';
import { updateProjectKey } from '#product/projects/update-project-key.ts';

export async function createKeyAction(
  orgSlug: string,
  projectSlug: string,
  _previous: CreateState,
  form: FormData,
): Promise<CreateState> {
  const ctx = await getRequestContext(orgSlug);
  const name = String(form.get('name') ?? '');
  const refusal = await refusalOf(() => createProjectKey(ctx, { projectSlug, label: name }));
  if (refusal) return { name, error: refusal.message };
  revalidatePath(`/${orgSlug}/settings/projects/${projectSlug}/keys`);
  return { name: '', error: null };
}

/** An empty number means no limit. */
export async function saveKeyRateLimitAction(
  orgSlug: string,
  projectSlug: string,
  keyId: number,
  previous: SettingsState,
  form: FormData,
): Promise<SettingsState> {
  const ctx = await getRequestContext(orgSlug);
  const count = readCount(form, 'count');
  if (Number.isNaN(count)) {
    return { error: 'Give a whole number, or nothing for no limit.', savedAt: previous.savedAt };
  }
  const rateLimit = count === null ? null : { count, windowSeconds: Number(form.get('window')) };
  const refusal = await refusalOf(() =>
    updateProjectKey(ctx, { projectSlug, key: keyId, change: { rateLimit } }),
  );
  if (refusal) return { error: refusal.message, savedAt: previous.savedAt };
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
  const refusal = await refusalOf(() => setProjectKeyActive(ctx, { projectSlug, keyId, isActive }));
  if (refusal) return refusal.message;
  revalidatePath(`/${orgSlug}/settings/projects/${projectSlug}/keys`);
  return null;
}
