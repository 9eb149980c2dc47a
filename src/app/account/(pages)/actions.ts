'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import type { FormState } from '#app/account/form-state.tsx';
import { answeringForm, changeAccount, getSelf } from '#app/account/own-account.ts';
import { type FormState as SavedFormState, submitForm } from '#app/forms/submit-form.ts';
import { NOTIFICATION_KINDS } from '#domain/notification-kinds.ts';
import { requestEmailChange } from '#product/accounts/own-account/email-change.ts';
import { renameSelf } from '#product/accounts/own-account/self.ts';
import { endOtherSessions, endSession } from '#product/accounts/own-account/sessions.ts';
import { updateNotificationSetting } from '#product/notifications/notification-settings.ts';
import { PROFILE_FIELDS } from './profile-fields.ts';

export async function renameAction(_previous: SavedFormState, form: FormData): Promise<SavedFormState> {
  const self = await getSelf();
  const state = await submitForm(PROFILE_FIELDS, form, async (change) => {
    await renameSelf(self, change);
    return null;
  });
  if (state.savedAt !== null) revalidatePath('/', 'layout');
  return state;
}

type EmailState = FormState & {
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
      return `Confirmation email sent to ${email}. Open the link in it within a day.`;
    link = result.url;
    return `Could not send email. ${result.reason}.`;
  });
  return { ...state, email, link };
}

/** Answers what went wrong, or null. */
export async function endSessionAction(sessionId: string): Promise<string | null> {
  return changeAccount('/account/sessions', (self) => endSession(self, sessionId));
}

/** Answers what went wrong, or null. */
export async function endOtherSessionsAction(): Promise<string | null> {
  return changeAccount('/account/sessions', endOtherSessions);
}

const SLUG = z.string().max(100);
const CHANGE = z.strictObject({
  kind: z.enum(NOTIFICATION_KINDS),
  organizationSlug: SLUG.nullable(),
  projectSlug: SLUG.nullable(),
  isOn: z.boolean().nullable(),
});

/** Answers what went wrong, or null. */
export async function setNotificationAction(input: z.infer<typeof CHANGE>): Promise<string | null> {
  const change = CHANGE.parse(input);
  return changeAccount('/account/notifications', (self) =>
    updateNotificationSetting(self, self.session, change),
  );
}
