'use server';

import { redirect } from 'next/navigation';
import { answeringForm, getSelf } from '#app/account/own-account.ts';
import { confirmEmailChange } from '#product/accounts/own-account/email-change.ts';

/** Answers what went wrong. */
export async function confirmEmailAction(_previous: string | null, form: FormData): Promise<string | null> {
  const { error } = await answeringForm(async () => {
    await confirmEmailChange(await getSelf(), String(form.get('token') ?? ''));
    return '';
  });
  if (error !== null) return error;
  redirect('/account');
}
