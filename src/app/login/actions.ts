'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { applySetCookies } from '#app/(account)/apply-set-cookies.ts';
import { answerOf, refusalOf } from '#app/forms/submit-form.ts';
import { safeNext, secondStepPath } from '#app/return-path.ts';
import { isErrataError } from '#lib/errors.ts';
import {
  beginPasskeySignIn,
  finishPasskeySignIn,
  signIn,
  verifySecondFactor,
} from '#product/accounts/sign-in.ts';
import { getServices } from '#product/services.ts';
import type { CredentialJson, SignInResult } from '#storage/ports/authenticator.ts';

export type SignInState = { email: string; error: string | null };

export async function signInAction(_previous: SignInState, form: FormData): Promise<SignInState> {
  const email = String(form.get('email') ?? '').trim();
  const password = String(form.get('password') ?? '');
  const outcome = await trySignIn(email, password);
  if (typeof outcome === 'string') return { email, error: outcome };
  await applySetCookies(outcome.cookies);
  const next = safeNext(String(form.get('next') ?? ''));
  redirect(outcome.needsSecondFactor ? secondStepPath(next) : next);
}

/** The cookies of the session, or a sentence that says what is wrong. */
async function trySignIn(email: string, password: string): Promise<SignInResult | string> {
  if (email === '' || password === '') return 'Enter your email address and password.';
  const requestHeaders = await headers();
  const answer = await answerOf(() => signIn(getServices(), { email, password, headers: requestHeaders }));
  if (!answer.ok) return `${answer.message}.`;
  return answer.value ?? 'Incorrect email address or password. Check both and try again.';
}

/** What the browser's credential call takes; null where there are no passkeys, or after too many tries. */
export async function beginPasskeySignInAction(): Promise<CredentialJson | null> {
  const requestHeaders = await headers();
  const answer = await answerOf(() => beginPasskeySignIn(getServices(), requestHeaders));
  if (!answer.ok || !answer.value) return null;
  await applySetCookies(answer.value.cookies);
  return answer.value.options;
}

/** Answers what is wrong; a passkey that fits leads to the page. */
export async function finishPasskeySignInAction(input: {
  response: CredentialJson;
  next: string;
}): Promise<string> {
  const refusal = await refusalOf(async () => {
    const { response } = input;
    await applySetCookies(await finishPasskeySignIn(getServices(), { response, headers: await headers() }));
  });
  return refusal ?? redirect(safeNext(input.next));
}

export type SecondStepState = {
  error: string | null;
  /** The first step has to be repeated. */
  isOver: boolean;
};

export async function secondStepAction(_previous: SecondStepState, form: FormData): Promise<SecondStepState> {
  try {
    const cookies = await verifySecondFactor(getServices(), {
      kind: form.get('kind') === 'recovery' ? 'recovery' : 'app',
      code: String(form.get('code') ?? ''),
      trustsBrowser: form.get('trustsBrowser') === 'on',
      headers: await headers(),
    });
    await applySetCookies(cookies);
  } catch (error) {
    if (!isErrataError(error)) throw error;
    return { error: `${error.message}.`, isOver: error.code === 'unauthorized' };
  }
  redirect(safeNext(String(form.get('next') ?? '')));
}
