'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { answeringForm, getSelf } from '#app/account/own-account.ts';
import { NOTIFICATION_KINDS } from '#domain/notification-kinds.ts';
import { updateNotificationSetting } from '#product/notifications/notification-settings.ts';

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
  const { error } = await answeringForm(async () => {
    const self = await getSelf();
    await updateNotificationSetting(self, self.session, change);
    return '';
  });
  revalidatePath('/account/notifications');
  return error;
}
