import { conflict, invalid, tooManyRequests } from '#lib/errors.ts';
import { createOneTimeSecret, hashSecret } from '#lib/one-time-secret.ts';
import { createThrottle } from '#lib/throttle.ts';
import { composeMail } from '#product/messages/compose-mail.ts';
import { checkEmail } from '../check-email.ts';
import { changeOwnAccess, notifyOwner, requirePassword, type Self } from './self.ts';

export const EMAIL_CHANGE_MS = 24 * 3600 * 1000;

/** Nobody is to find out addresses by asking for many, or to fill mailboxes of others. */
const byUser = createThrottle({ triesMax: 5, refillMs: 10 * 60_000 });

export type EmailChangeRequest =
  | { kind: 'mailed' }
  /** No mail could be sent, for this reason: the person opens the link. The address then counts as unconfirmed. */
  | { kind: 'link'; url: string; reason: string };

/** A link that changes the address when it is opened. Throws Invalid with the field's name, Conflict, RateLimited. */
export async function requestEmailChange(
  self: Self,
  input: { email: string; currentPassword: string },
): Promise<EmailChangeRequest> {
  const email = checkEmail(input.email);
  const { stores, session, mailer, publicUrl, now } = self;
  if (email === session.email) throw invalid('This is already your email address', 'email');
  await requirePassword(self, input.currentPassword);
  const waitSeconds = byUser.take(session.userId);
  if (waitSeconds !== null) throw tooManyRequests(waitSeconds);
  if (await stores.accounts.findUserByEmail(email)) {
    throw conflict('This email address is already in use: choose another one', 'email');
  }
  const secret = createOneTimeSecret();
  const url = `${publicUrl}/account/confirm-email/${secret}`;
  const change = {
    userId: session.userId,
    email,
    secretHash: hashSecret(secret),
    expiresAt: now() + EMAIL_CHANGE_MS,
  };
  // Kept before the mail is on its way: a link that arrives first has to open.
  await stores.accounts.putEmailChange({ ...change, isMailed: true });
  notifyOwner(self, session.email, `Someone asked to change your email address to ${email}`);
  const result = await mailer.send(
    composeMail({
      to: email,
      subject: 'Confirm your email address – Errata',
      heading: 'Confirm your email address',
      paragraphs: [
        `${session.name} wants to use this address to sign in to ${publicUrl}.`,
        'The link works once, within a day.',
      ],
      button: { label: 'Confirm this address', url },
      footnote: 'If this was not you, ignore this email. Nothing changes unless the link is opened.',
    }),
  );
  if (result.kind === 'sent') return { kind: 'mailed' };
  await stores.accounts.putEmailChange({ ...change, isMailed: false });
  return { kind: 'link', url, reason: result.reason };
}

/** The address that the link would set; null when it does not open any more, or belongs to somebody else. */
export async function checkEmailChange(
  { stores, session, now }: Self,
  token: string,
): Promise<string | null> {
  return stores.accounts.checkEmailChange(session.userId, hashSecret(token), now());
}

/** Changes the address, for the signed-in requester only; notifies the old one. Throws Invalid, Conflict. */
export async function confirmEmailChange(self: Self, token: string): Promise<{ email: string }> {
  const { session, now } = self;
  const changed = await changeOwnAccess(self, 'user.email-change', ({ stores }) =>
    stores.accounts.takeEmailChange(session.userId, hashSecret(token), now()),
  );
  if (!changed) {
    throw invalid(
      'This link was already used, is older than a day or belongs to another account: request a new one',
    );
  }
  notifyOwner(self, changed.oldEmail, `Your email address is now ${changed.email}`);
  return { email: changed.email };
}
