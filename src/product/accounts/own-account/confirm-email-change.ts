import { invalid } from '#lib/errors.ts';
import { hashSecret } from '../one-time-secret.ts';
import { changeOwnAccess, notifyOwner, type Self } from './self.ts';

/** The address that the link would set; null when it does not open any more, or belongs to somebody else. */
export async function checkEmailChange(
  { stores, session, now }: Self,
  token: string,
): Promise<string | null> {
  return stores.accounts.checkEmailChange(session.userId, hashSecret(token), now());
}

/**
 * Changes the address and uses the link up; the old address is told. Only whoever asked for it, signed in, can follow
 * the link: who merely reads the mail of an address that was mistyped cannot. Throws Invalid, Conflict.
 */
export async function confirmEmailChange(self: Self, token: string): Promise<{ email: string }> {
  const { session, now } = self;
  const changed = await changeOwnAccess(self, 'user.email-change', ({ stores }) =>
    stores.accounts.takeEmailChange(session.userId, hashSecret(token), now()),
  );
  if (!changed) {
    throw invalid(
      'This link was used already, is older than a day or belongs to another account: ask for a new one',
    );
  }
  notifyOwner(self, changed.oldEmail, `Your e-mail address is now ${changed.email}`);
  return { email: changed.email };
}
