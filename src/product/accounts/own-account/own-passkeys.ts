import { conflict, forbidden, invalid, notFound } from '#lib/errors.ts';
import type { CredentialJson, Passkey } from '#storage/ports/authenticator.ts';
import { changeOwnAccess, notifyOwner, requirePassword, type Self } from './self.ts';
import { endOtherSessions } from './sessions.ts';

export const PASSKEYS_MAX = 20;
const NAME_CHARS_MAX = 60;

/** Oldest first. */
export async function listPasskeys({ stores, session }: Self): Promise<readonly Passkey[]> {
  return stores.authenticator.passkeys.list(session.userId);
}

/** What the browser needs to make a passkey, and the cookies that keep the challenge. Throws Invalid, Conflict. */
export async function beginPasskey(
  self: Self,
  input: { currentPassword: string },
): Promise<{ options: CredentialJson; cookies: readonly string[] }> {
  const { passkeys } = self.stores.authenticator;
  if (!passkeys.areAvailable) {
    throw forbidden(
      'Passkeys require HTTPS and a host name: ask your administrator to set ERRATA_URL accordingly',
    );
  }
  await requirePassword(self, input.currentPassword);
  if ((await passkeys.list(self.session.userId)).length >= PASSKEYS_MAX) {
    throw conflict(`You have ${PASSKEYS_MAX} passkeys: remove one first`);
  }
  return passkeys.beginRegistration(self.headers);
}

/** Keeps the passkey that the browser made; every other session ends. Throws Invalid. */
export async function finishPasskey(
  self: Self,
  input: { name: string; response: CredentialJson },
): Promise<void> {
  const name = checkName(input.name);
  const { response } = input;
  await changeOwnAccess(self, 'user.passkey-add', async (self) => {
    await self.stores.authenticator.passkeys.finishRegistration({ name, response, headers: self.headers });
    await endOtherSessions(self);
    return name;
  });
  notifyOwner(self, self.session.email, `The passkey “${name}” was added`);
}

/** Throws Invalid, NotFound. */
export async function renamePasskey(
  { stores, session }: Self,
  input: { passkeyId: string; name: string },
): Promise<void> {
  const name = checkName(input.name);
  const isThere = await stores.authenticator.passkeys.rename(session.userId, input.passkeyId, name);
  if (!isThere) throw notFound('This passkey was already removed: reload the page');
}

/** Every other session ends. Throws NotFound, Invalid with the field's name. */
export async function removePasskey(
  self: Self,
  { passkeyId, currentPassword }: { passkeyId: string; currentPassword: string },
): Promise<void> {
  await requirePassword(self, currentPassword);
  const removed = await changeOwnAccess(self, 'user.passkey-remove', async (self) => {
    if (!(await self.stores.authenticator.passkeys.remove(self.session.userId, passkeyId))) return null;
    await endOtherSessions(self);
    return passkeyId;
  });
  if (removed === null) throw notFound('This passkey was already removed: reload the page');
  notifyOwner(self, self.session.email, 'A passkey was removed');
}

function checkName(input: string): string {
  const name = input.trim();
  if (name === '' || name.length > NAME_CHARS_MAX) {
    throw invalid(`Give the passkey a name of 1 to ${NAME_CHARS_MAX} characters`, 'name');
  }
  return name;
}
