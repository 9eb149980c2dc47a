'use server';

import { headers } from 'next/headers';
import { after } from 'next/server';
import { clientAddress } from '#lib/client-address.ts';
import { isErrataError } from '#lib/errors.ts';
import { requestPasswordReset } from '#product/accounts/password-reset.ts';
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
  try {
    const ipAddress = clientAddress(await headers());
    after(requestPasswordReset(getServices(), { email, ipAddress }));
  } catch (error) {
    if (isErrataError(error)) return { email, error: `${error.message}.`, isSent: false };
    throw error;
  }
  return { email, error: null, isSent: true };
}
