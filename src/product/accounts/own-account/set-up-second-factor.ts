import { conflict, invalid, notFound } from '#lib/errors.ts';
import { auditSignInChange } from '#product/audit/audited.ts';
import type { Stores } from '#product/stores.ts';
import { checkEmail } from '../check-email.ts';
import { changeOwnAccess, notifyOwner, requirePassword, type Self } from './self.ts';

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
  notifyOwner(self, session.email, 'Two-factor authentication was turned on');
  return cookies;
}

export const WRONG_CODE =
  'This code is incorrect or was already used: check the clock on your phone, and wait for the next code';

/** Recovery codes in place of all earlier ones; shown once. Throws Invalid, RateLimited. */
export async function renewRecoveryCodes(
  self: Self,
  input: { currentPassword: string },
): Promise<readonly string[]> {
  const password = await requirePassword(self, input.currentPassword);
  const { headers, session } = self;
  let codes: readonly string[] = [];
  await changeOwnAccess(self, 'user.2fa-recovery-codes', async ({ stores }) => {
    codes = await stores.authenticator.secondFactor.renewRecoveryCodes({ password, headers });
    return codes;
  });
  notifyOwner(self, session.email, 'Your recovery codes were replaced');
  return codes;
}

/** Turns it off; returns the new session's cookies. Throws Conflict while it is required, Invalid, RateLimited. */
export async function disableSecondFactor(
  self: Self,
  input: { currentPassword: string; code: string },
): Promise<readonly string[]> {
  const { stores, session, headers } = self;
  const [required] = await stores.accounts.listTwoFactorOrganizations(session.userId);
  if (required) {
    throw conflict(
      `The organization "${required}" requires two-factor authentication: leave the organization first, or ask its owner`,
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
  notifyOwner(self, session.email, 'Two-factor authentication was turned off');
  return cookies;
}

/** For the operator, when somebody has lost both app and recovery codes. Throws NotFound. */
export async function removeSecondFactor(
  services: { stores: Pick<Stores, 'accounts' | 'inTransaction'>; now: () => number },
  email: string,
): Promise<{ wasOn: boolean }> {
  const user = await services.stores.accounts.findUserByEmail(checkEmail(email));
  if (!user) throw notFound(`No user has the email address ${email}: check the spelling`);
  const changed = await auditSignInChange(services, {
    action: 'user.2fa-disable',
    ipAddress: null,
    change: async ({ accounts }) => ((await accounts.removeTwoFactor(user.id)) ? user : null),
  });
  return { wasOn: changed !== null };
}
