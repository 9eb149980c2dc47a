import { notFound } from '#lib/errors.ts';
import { HOUR_MS } from '#lib/time.ts';
import type { WebServices } from '#storage/ports/stores.ts';
import { checkEmail } from './check-email.ts';
import { createOneTimeSecret, hashSecret } from './one-time-secret.ts';

export const PASSWORD_RESET_MS = HOUR_MS;

/** A token for `/reset-password/<token>`: valid for an hour, once, and instead of an earlier one. Throws NotFound. */
export async function createPasswordReset(
  stores: Pick<WebServices, 'accounts'>,
  email: string,
  nowMs: number,
): Promise<string> {
  const user = await stores.accounts.findUserByEmail(checkEmail(email));
  if (!user) throw notFound(`No user has the address ${email}: check how it is written`);
  const token = createOneTimeSecret();
  await stores.accounts.putOneTimeSecret({
    purpose: 'reset_password',
    userId: user.id,
    secretHash: hashSecret(token),
    expiresAt: nowMs + PASSWORD_RESET_MS,
  });
  return token;
}
