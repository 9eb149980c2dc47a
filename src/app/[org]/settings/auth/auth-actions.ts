'use server';

import { revalidatePath } from 'next/cache';
import { getRequestContext } from '#app/request-context.ts';
import { isErrataError } from '#lib/errors.ts';
import { setTwoFactorRequired } from '#product/accounts/auth-policy/auth-policy.ts';

/** Answers what went wrong, or null. */
export async function requireTwoFactorAction(orgSlug: string, isRequired: boolean): Promise<string | null> {
  const ctx = await getRequestContext(orgSlug);
  try {
    await setTwoFactorRequired(ctx, isRequired);
  } catch (error) {
    if (isErrataError(error)) return `${error.message}.`;
    throw error;
  }
  revalidatePath(`/${orgSlug}/settings/auth`);
  return null;
}
