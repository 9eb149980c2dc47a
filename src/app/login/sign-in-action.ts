'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { applySetCookies } from '#app/(account)/apply-set-cookies.ts';
import { safeNext } from '#app/(account)/safe-next.ts';
import { isErrataError } from '#lib/errors.ts';
import { signIn } from '#product/accounts/sign-in.ts';
import { getServices } from '#product/services.ts';
import type { SignInResult } from '#storage/ports/authenticator.ts';
import { secondStepPath } from './second-step/second-step-path.ts';

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
  if (email === '' || password === '') return 'Write both your e-mail address and your password.';
  try {
    const result = await signIn(getServices(), { email, password, headers: await headers() });
    return result ?? 'E-mail address or password is wrong. Check both and try again.';
  } catch (error) {
    if (isErrataError(error)) return `${error.message}.`;
    throw error;
  }
}
