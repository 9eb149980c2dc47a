import { ErrataError } from '#lib/errors.ts';
import type { Services } from '#product/services.ts';
import type { CredentialJson } from '#storage/ports/authenticator.ts';

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
    'This passkey opens no account here: use another one, or sign in with your password',
  );
}
