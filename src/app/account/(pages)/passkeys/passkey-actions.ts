'use server';

import { revalidatePath } from 'next/cache';
import { applySetCookies } from '#app/(account)/apply-set-cookies.ts';
import { answeringForm, getSelf } from '#app/account/own-account.ts';
import {
  beginPasskey,
  finishPasskey,
  removePasskey,
  renamePasskey,
} from '#product/accounts/own-account/own-passkeys.ts';
import type { CredentialJson } from '#storage/ports/authenticator.ts';

/** What the browser's credential call takes, or what is wrong and in which field. */
type BegunPasskey =
  | { kind: 'begun'; options: CredentialJson }
  | { kind: 'refused'; error: string; field: string | null };

export async function beginPasskeyAction(currentPassword: string): Promise<BegunPasskey> {
  let options: CredentialJson = {};
  const { error, field } = await answeringForm(async () => {
    const begun = await beginPasskey(await getSelf(), { currentPassword });
    await applySetCookies(begun.cookies);
    options = begun.options;
    return '';
  });
  return error === null ? { kind: 'begun', options } : { kind: 'refused', error, field };
}

/** Answers what went wrong, or null. */
export async function finishPasskeyAction(input: {
  name: string;
  response: CredentialJson;
}): Promise<string | null> {
  return answering(async () => finishPasskey(await getSelf(), input));
}

/** Answers what went wrong, or null. */
export async function renamePasskeyAction(input: {
  passkeyId: string;
  name: string;
}): Promise<string | null> {
  return answering(async () => renamePasskey(await getSelf(), input));
}

/** Answers what went wrong, or null. */
export async function removePasskeyAction(input: {
  passkeyId: string;
  currentPassword: string;
}): Promise<string | null> {
  return answering(async () => removePasskey(await getSelf(), input));
}

async function answering(act: () => Promise<void>): Promise<string | null> {
  const { error } = await answeringForm(async () => {
    await act();
    return '';
  });
  if (error === null) revalidatePath('/account/passkeys');
  return error;
}
