'use server';

import { applySetCookies } from '#app/(account)/apply-set-cookies.ts';
import type { FieldError } from '#app/account/form-state.tsx';
import { answeringForm, changeAccount, getSelf } from '#app/account/own-account.ts';
import {
  beginPasskey,
  finishPasskey,
  removePasskey,
  renamePasskey,
} from '#product/accounts/own-account/own-passkeys.ts';
import type { CredentialJson } from '#storage/ports/authenticator.ts';

/** What the browser's credential call takes, or what is wrong and in which field. */
type BegunPasskey = { kind: 'begun'; options: CredentialJson } | ({ kind: 'refused' } & FieldError);

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

const PAGE = '/account/passkeys';

/** Answers what went wrong, or null. */
export async function finishPasskeyAction(input: {
  name: string;
  response: CredentialJson;
}): Promise<string | null> {
  return changeAccount(PAGE, (self) => finishPasskey(self, input));
}

/** Answers what went wrong, or null. */
export async function renamePasskeyAction(input: {
  passkeyId: string;
  name: string;
}): Promise<string | null> {
  return changeAccount(PAGE, (self) => renamePasskey(self, input));
}

/** Answers what went wrong, or null. */
export async function removePasskeyAction(input: {
  passkeyId: string;
  currentPassword: string;
}): Promise<string | null> {
  return changeAccount(PAGE, (self) => removePasskey(self, input));
}
