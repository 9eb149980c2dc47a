'use server';

import { revalidatePath } from 'next/cache';
import { answeringForm, getSelf } from '#app/account/own-account.ts';
import { endOtherSessions, endSession } from '#product/accounts/own-account/sessions.ts';

/** Answers what went wrong, or null. */
export async function endSessionAction(sessionId: string): Promise<string | null> {
  const { error } = await answeringForm(async () => {
    await endSession(await getSelf(), sessionId);
    return '';
  });
  revalidatePath('/account/sessions');
  return error;
}

/** Answers how many were signed out. */
export async function endOtherSessionsAction(): Promise<number> {
  const ended = await endOtherSessions(await getSelf());
  revalidatePath('/account/sessions');
  return ended;
}
