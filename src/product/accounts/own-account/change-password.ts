import { invalid, isErrataError } from '#lib/errors.ts';
import { checkPassword } from '../check-password.ts';
import { changeOwnAccess, requirePassword, type Self, tellOwner } from './self.ts';

/**
 * Sets a new password, or the first one of an account without; every other session ends. Throws Invalid with the
 * field's name, RateLimited.
 */
export async function changePassword(
  self: Self,
  input: { currentPassword: string; password: string },
): Promise<void> {
  await requirePassword(self, input.currentPassword);
  try {
    checkPassword(input.password);
  } catch (error) {
    throw isErrataError(error) ? invalid(error.message, 'password') : error;
  }
  if (input.password === input.currentPassword) {
    throw invalid('This is the password that you have: choose another one', 'password');
  }
  const { stores, session } = self;
  await changeOwnAccess(self, 'user.password-change', async () => {
    await stores.authenticator.setPassword(session.userId, input.password, session.sessionId);
    return session.userId;
  });
  tellOwner(self, session.email, 'Your password was changed');
}
