import { revalidatePath } from 'next/cache';
import { answerOf, refusalOf } from '#app/forms/submit-form.ts';
import { currentHeaders, getSession } from '#app/request-context.ts';
import { clientAddress } from '#lib/client-address.ts';
import type { Self } from '#product/accounts/own-account/self.ts';
import { getServices } from '#product/services.ts';
import type { FormState } from './form-state.tsx';

/** The signed-in person with their own account; redirects to the sign-in page when there is none. */
export async function getSelf(): Promise<Self> {
  const session = await getSession();
  const requestHeaders = await currentHeaders();
  const { stores, now, publicUrl, mailer } = getServices();
  const ipAddress = clientAddress(requestHeaders);
  return { stores, now, publicUrl, mailer, session, headers: requestHeaders, ipAddress };
}

/** Runs the change; an error that people can correct becomes a sentence. */
export async function answeringForm(change: () => Promise<string>): Promise<FormState> {
  const answer = await answerOf(change);
  if (answer.ok) return { error: null, field: null, done: answer.value };
  return { error: `${answer.message}.`, field: answer.field, done: null };
}

/** Changes the account and refreshes one of its pages. Answers why the change was refused, as a sentence, or null. */
export async function changeAccount(
  page: string,
  change: (self: Self) => Promise<unknown>,
): Promise<string | null> {
  const refusal = await refusalOf(async () => change(await getSelf()));
  revalidatePath(page);
  return refusal;
}
