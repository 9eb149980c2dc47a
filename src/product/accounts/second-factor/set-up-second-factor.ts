import { invalid } from '#lib/errors.ts';
import { changeOwnAccess, notifyOwner, requirePassword, type Self } from '../own-account/self.ts';

export type SecondFactorSetUp = { uri: string; secret: string; recoveryCodes: readonly string[] };

/** A secret for the person's app; it counts once a code of it was right. Throws Invalid, Conflict, RateLimited. */
export async function beginSecondFactor(
  self: Self,
  input: { currentPassword: string },
): Promise<SecondFactorSetUp> {
  const password = await requirePassword(self, input.currentPassword);
  return self.stores.authenticator.secondFactor.begin({ password, headers: self.headers });
}

/** Switches it on; answers the cookies of the session that takes the place of this one. Throws Invalid, RateLimited. */
export async function confirmSecondFactor(self: Self, code: string): Promise<readonly string[]> {
  const { session, headers } = self;
  const { userId } = session;
  const cookies = await changeOwnAccess(self, 'user.2fa-enable', ({ stores }) =>
    stores.authenticator.secondFactor.confirm({ userId, code, headers }),
  );
  if (!cookies) throw invalid(WRONG_CODE, 'code');
  notifyOwner(self, session.email, 'Two-factor sign-in was switched on');
  return cookies;
}

export const WRONG_CODE =
  'This code is wrong or was used already: check the clock of your phone, and wait for the next code';
