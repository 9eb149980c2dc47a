import { conflict, invalid } from '#lib/errors.ts';
import { changeOwnAccess, notifyOwner, requirePassword, type Self } from '../own-account/self.ts';
import { WRONG_CODE } from './set-up-second-factor.ts';

/**
 * Switches it off with password and code (of the app, or a recovery code); answers the cookies of the session that
 * takes the place of this one. Throws Conflict while an organization requires it, Invalid, RateLimited.
 */
export async function disableSecondFactor(
  self: Self,
  input: { currentPassword: string; code: string },
): Promise<readonly string[]> {
  const { stores, session, headers } = self;
  const [required] = await stores.accounts.listTwoFactorOrganizations(session.userId);
  if (required) {
    throw conflict(
      `The organization "${required}" requires it: leave the organization first, or ask its owner`,
    );
  }
  const password = await requirePassword(self, input.currentPassword);
  const cookies = await changeOwnAccess(self, 'user.2fa-disable', ({ stores }) =>
    stores.authenticator.secondFactor.disable({
      userId: session.userId,
      password,
      code: input.code,
      headers,
    }),
  );
  if (!cookies) throw invalid(WRONG_CODE, 'code');
  notifyOwner(self, session.email, 'Two-factor sign-in was switched off');
  return cookies;
}
