'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { applySetCookies } from '#app/(account)/apply-set-cookies.ts';
import { safeNext } from '#app/(account)/safe-next.ts';
import { isErrataError } from '#lib/errors.ts';
import { beginPasskeySignIn, finishPasskeySignIn } from '#product/accounts/sign-in.ts';
import { getServices } from '#product/services.ts';
import type { CredentialJson } from '#storage/ports/authenticator.ts';

/** What the browser's credential call takes; null where there are no passkeys, or after too many tries. */
export async function beginPasskeySignInAction(): Promise<CredentialJson | null> {
  try {
    const begun = await beginPasskeySignIn(getServices(), await headers());
    if (begun) await applySetCookies(begun.cookies);
    return begun?.options ?? null;
  } catch (error) {
    if (isErrataError(error)) return null;
    throw error;
  }
}

/** Answers what is wrong; a passkey that fits leads to the page. */
export async function finishPasskeySignInAction(input: {
  response: CredentialJson;
  next: string;
}): Promise<string> {
  try {
    const { response } = input;
    await applySetCookies(await finishPasskeySignIn(getServices(), { response, headers: await headers() }));
  } catch (error) {
    if (isErrataError(error)) return `${error.message}.`;
    throw error;
  }
  redirect(safeNext(input.next));
}
