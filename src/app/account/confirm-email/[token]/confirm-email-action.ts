'use server';

import { redirect } from 'next/navigation';
import { getSelf } from '#app/account/own-account.ts';
import { refusalOf } from '#app/forms/submit-form.ts';
import { confirmEmailChange } from '#product/accounts/own-account/email-change.ts';

/** Answers what went wrong. */
export async function confirmEmailAction(_previous: string | null, form: FormData): Promise<string | null> {
  const token = String(form.get('token') ?? '');
  const refusal = await refusalOf(async () => confirmEmailChange(await getSelf(), token));
  return refusal ?? redirect('/account');
}
