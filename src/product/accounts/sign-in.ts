import { ErrataError, invalid } from '#lib/errors.ts';
import type { Services } from '#product/services.ts';
import type { CredentialJson, SignInResult } from '#storage/ports/authenticator.ts';
import { WRONG_CODE } from './own-account/set-up-second-factor.ts';

/** The Set-Cookie values of a new session; null when e-mail or password is wrong. Throws RateLimited when throttled. */
export async function signIn(
  { stores }: Pick<Services, 'stores'>,
  input: { email: string; password: string; headers: Headers },
): Promise<SignInResult | null> {
  if (input.email.trim() === '' || input.password === '') return null;
  return stores.authenticator.signIn(input);
}

/** What the browser needs to show its passkeys; null where browsers refuse them. */
export async function beginPasskeySignIn(
  { stores }: Pick<Services, 'stores'>,
  headers: Headers,
): Promise<{ options: CredentialJson; cookies: readonly string[] } | null> {
  const { passkeys } = stores.authenticator;
  return passkeys.areAvailable ? passkeys.beginSignIn(headers) : null;
}

/** The cookies of a session. Throws Unauthorized, RateLimited. */
export async function finishPasskeySignIn(
  { stores }: Pick<Services, 'stores'>,
  input: { response: CredentialJson; headers: Headers },
): Promise<readonly string[]> {
  const cookies = await stores.authenticator.passkeys.finishSignIn(input);
  if (cookies) return cookies;
  throw new ErrataError(
    'unauthorized',
    'No account here uses this passkey: use another one, or sign in with your password',
  );
}

/** The second step of a sign-in: the session's cookies. Throws Invalid, Unauthorized when too late, RateLimited. */
export async function verifySecondFactor(
  { stores }: Pick<Services, 'stores'>,
  input: { kind: 'app' | 'recovery'; code: string; trustsBrowser: boolean; headers: Headers },
): Promise<readonly string[]> {
  const cookies = await stores.authenticator.secondFactor.verify(input);
  if (cookies) return cookies;
  throw invalid(
    input.kind === 'app' ? WRONG_CODE : 'This recovery code is incorrect or was already used',
    'code',
  );
}
