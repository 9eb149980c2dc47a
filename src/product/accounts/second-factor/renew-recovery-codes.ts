import { changeOwnAccess, notifyOwner, requirePassword, type Self } from '../own-account/self.ts';

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
  notifyOwner(self, session.email, 'Your recovery codes were renewed');
  return codes;
}
