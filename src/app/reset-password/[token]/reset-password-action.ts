'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { applySetCookies } from '#app/(account)/apply-set-cookies.ts';
import { clientAddress } from '#lib/client-address.ts';
import { isErrataError } from '#lib/errors.ts';
import { resetPassword } from '#product/accounts/password-reset.ts';
import { getServices } from '#product/services.ts';

export type ResetState = { error: string | null };

export async function resetPasswordAction(_previous: ResetState, form: FormData): Promise<ResetState> {
  const password = String(form.get('password') ?? '');
  if (password !== String(form.get('repeated') ?? '')) {
    return { error: 'The two passwords differ: write the same one twice.' };
  }
  try {
    const cookies = await resetPassword(getServices(), {
      token: String(form.get('token') ?? ''),
      password,
      revokesTokens: form.get('revokesTokens') === 'on',
      ipAddress: clientAddress(await headers()),
    });
    await applySetCookies(cookies);
  } catch (error) {
    if (isErrataError(error)) return { error: `${error.message}.` };
    throw error;
  }
  redirect('/login?reset=done');
}
