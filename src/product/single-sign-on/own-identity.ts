import { conflict, forbidden } from '#lib/errors.ts';
import {
  changeOwnAccess,
  notifyOwner,
  requirePassword,
  type Self,
} from '#product/accounts/own-account/self.ts';
import { endOtherSessions } from '#product/accounts/own-account/sessions.ts';
import type { Services } from '#product/services.ts';

/** Where to send the browser so that it comes back signed in. Throws Forbidden without single sign-on, Unavailable. */
export async function beginSingleSignOn(
  { stores }: Pick<Services, 'stores'>,
  next: string,
): Promise<{ url: string; cookies: readonly string[] }> {
  return requireSingleSignOn(stores).begin({ next, linkUserId: null });
}

/** Where to send the browser so that its identity is connected to this account. Throws Invalid, Unavailable. */
export async function beginConnecting(
  self: Self,
  input: { currentPassword: string; next: string },
): Promise<{ url: string; cookies: readonly string[] }> {
  await requirePassword(self, input.currentPassword);
  return requireSingleSignOn(self.stores).begin({ next: input.next, linkUserId: self.session.userId });
}

/** Every other session ends. Throws Conflict when nothing else would open the account, Invalid. */
export async function disconnectIdentity(self: Self, input: { currentPassword: string }): Promise<void> {
  const { stores, session } = self;
  const profile = await stores.accounts.findProfile(session.userId);
  if (!profile?.hasPassword) {
    throw conflict('Set a password first: otherwise you could not sign in');
  }
  await requirePassword(self, input.currentPassword);
  const removed = await changeOwnAccess(self, 'sso-identity.unlink', async (self) => {
    if ((await self.stores.accounts.unlinkIdentities(session.userId)) === 0) return null;
    await endOtherSessions(self);
    return session.userId;
  });
  if (removed !== null) notifyOwner(self, session.email, 'Single sign-on was disconnected');
}

function requireSingleSignOn(stores: Services['stores']) {
  const { singleSignOn } = stores.authenticator;
  if (!singleSignOn) throw forbidden('Single sign-on is not set up on this server');
  return singleSignOn;
}
