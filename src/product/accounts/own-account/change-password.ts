import { invalid } from '#lib/errors.ts';
import { checkPassword, findOwnWords } from '../check-password.ts';
import { changeOwnAccess, notifyOwner, requirePassword, type Self } from './self.ts';
import { type Delegated, revokeDelegated } from './sessions.ts';

/** Sets a password and ends all other sessions; `revokesTokens`: tokens and apps, too. Throws Invalid, RateLimited. */
export async function changePassword(
  self: Self,
  input: { currentPassword: string; password: string; revokesTokens: boolean },
): Promise<Delegated> {
  await requirePassword(self, input.currentPassword);
  const { stores, session } = self;
  const user = { ...session, id: session.userId };
  await checkPassword(input.password, await findOwnWords(stores, user));
  if (input.password === input.currentPassword) {
    throw invalid('This is your current password: choose a different one', 'password');
  }
  let revoked: Delegated = { tokens: 0, programs: 0 };
  await changeOwnAccess(self, 'user.password-change', async (self) => {
    await self.stores.authenticator.setPassword(session.userId, input.password, session.sessionId);
    if (input.revokesTokens) revoked = await revokeDelegated(self, user);
    return session.userId;
  });
  notifyOwner(self, session.email, 'Your password was changed');
  return revoked;
}
