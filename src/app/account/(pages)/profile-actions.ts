'use server';

import { revalidatePath } from 'next/cache';
import type { FormState } from '#app/account/form-state.ts';
import { answeringForm, getSelf } from '#app/account/own-account.ts';
import { requestEmailChange } from '#product/accounts/own-account/email-change.ts';
import { renameSelf } from '#product/accounts/own-account/self.ts';

export type NameState = FormState & { name: string };

export async function renameAction(_previous: NameState, form: FormData): Promise<NameState> {
  const name = String(form.get('name') ?? '');
  const state = await answeringForm(async () => {
    await renameSelf(await getSelf(), { name });
    return 'Name saved.';
  });
  if (state.error === null) revalidatePath('/', 'layout');
  return { ...state, name };
}

export type EmailState = FormState & {
  email: string;
  /** To be opened by hand, because no mail could be sent; null: a mail is on its way. */
  link: string | null;
};

export async function changeEmailAction(_previous: EmailState, form: FormData): Promise<EmailState> {
  const email = String(form.get('email') ?? '').trim();
  let link: string | null = null;
  const state = await answeringForm(async () => {
    const currentPassword = String(form.get('currentPassword') ?? '');
    const result = await requestEmailChange(await getSelf(), { email, currentPassword });
    if (result.kind === 'mailed')
      return `A mail is on its way to ${email}: open the link in it within a day.`;
    link = result.url;
    return `No mail could be sent. ${result.reason}.`;
  });
  return { ...state, email, link };
}
