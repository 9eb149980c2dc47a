'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { clientAddress } from '#app/client-address.ts';
import { isErrataError } from '#lib/errors.ts';
import { confirmEmailChange } from '#product/accounts/own-account/confirm-email-change.ts';
import { getServices } from '#product/services.ts';

/** Answers what went wrong. */
export async function confirmEmailAction(_previous: string | null, form: FormData): Promise<string | null> {
  try {
    await confirmEmailChange(getServices(), {
      token: String(form.get('token') ?? ''),
      ipAddress: clientAddress(await headers()),
    });
  } catch (error) {
    if (isErrataError(error)) return `${error.message}.`;
    throw error;
  }
  redirect('/account');
}
