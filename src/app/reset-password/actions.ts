'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { after } from 'next/server';
import { applySetCookies } from '#app/(account)/apply-set-cookies.ts';
import { refusalOf } from '#app/forms/submit-form.ts';
import { clientAddress } from '#lib/client-address.ts';
import { requestPasswordReset, resetPassword } from '#product/accounts/password-reset.ts';
import { getServices } from '#product/services.ts';

export type RequestResetState = {
  email: string;
  error: string | null;
  /** Says the same for addresses that nobody has. */
  isSent: boolean;
};

export async function requestResetAction(
  _previous: RequestResetState,
  form: FormData,
): Promise<RequestResetState> {
  const email = String(form.get('email') ?? '').trim();
  const error = await refusalOf(async () => {
    const ipAddress = clientAddress(await headers());
    after(requestPasswordReset(getServices(), { email, ipAddress }));
  });
  return { email, error, isSent: error === null };
}

export type ResetState = { error: string | null };

export async function resetPasswordAction(_previous: ResetState, form: FormData): Promise<ResetState> {
  const password = String(form.get('password') ?? '');
  if (password !== String(form.get('repeated') ?? '')) {
    return { error: 'The passwords do not match: enter the same password twice.' };
  }
  const error = await refusalOf(async () => {
    const cookies = await resetPassword(getServices(), {
      token: String(form.get('token') ?? ''),
      password,
      revokesTokens: form.get('revokesTokens') === 'on',
      ipAddress: clientAddress(await headers()),
    });
    await applySetCookies(cookies);
  });
  return error === null ? redirect('/login?reset=done') : { error };
}
