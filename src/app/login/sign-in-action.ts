'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { applySetCookies } from '#app/(account)/apply-set-cookies.ts';
import { safeNext } from '#app/(account)/safe-next.ts';
import { isErrataError } from '#lib/errors.ts';
import { signIn } from '#product/accounts/sign-in.ts';
import { getServices } from '#product/services.ts';

export type SignInState = { email: string; error: string | null };

export async function signInAction(_previous: SignInState, form: FormData): Promise<SignInState> {
  const email = String(form.get('email') ?? '').trim();
  const password = String(form.get('password') ?? '');
  const outcome = await trySignIn(email, password);
  if (typeof outcome === 'string') return { email, error: outcome };
  await applySetCookies(outcome);
  redirect(safeNext(String(form.get('next') ?? '')));
}

/** The cookies of the session, or a sentence that says what is wrong. */
async function trySignIn(email: string, password: string): Promise<readonly string[] | string> {
  if (email === '' || password === '') return 'Write both your e-mail address and your password.';
  try {
    const cookies = await signIn(getServices(), { email, password, headers: await headers() });
    return cookies ?? 'E-mail address or password is wrong. Check both and try again.';
  } catch (error) {
    if (isErrataError(error)) return `${error.message}.`;
    throw error;
  }
}
