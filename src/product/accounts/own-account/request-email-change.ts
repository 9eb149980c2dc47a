import { conflict, ErrataError, invalid } from '#lib/errors.ts';
import { createThrottle } from '#lib/throttle.ts';
import { DAY_MS, MINUTE_MS } from '#lib/time.ts';
import { composeMail } from '#product/mail/compose-mail.ts';
import { checkEmail } from '../check-email.ts';
import { createOneTimeSecret, hashSecret } from '../one-time-secret.ts';
import { notifyOwner, requirePassword, type Self } from './self.ts';

export const EMAIL_CHANGE_MS = DAY_MS;

/** Nobody is to find out addresses by asking for many, or to fill mailboxes of others. */
const byUser = createThrottle({ triesMax: 5, refillMs: 10 * MINUTE_MS });

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
  if (email === session.email) throw invalid('This is the address that you have', 'email');
  await requirePassword(self, input.currentPassword);
  const waitSeconds = byUser.take(session.userId);
  if (waitSeconds !== null) {
    throw new ErrataError(
      'rate_limited',
      `Too many requests: wait ${Math.ceil(waitSeconds / 60)} min and try again`,
      { retryAfterSeconds: waitSeconds },
    );
  }
  if (await stores.accounts.findUserByEmail(email)) {
    throw conflict('Somebody here has this address already: use another one', 'email');
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
  notifyOwner(self, session.email, `Somebody asked to change your e-mail address to ${email}`);
  const result = await mailer.send(
    composeMail({
      to: email,
      subject: 'Confirm your e-mail address – Errata',
      heading: 'Is this your address?',
      paragraphs: [
        `${session.name} wants to use it to sign in to ${publicUrl}.`,
        'The link works for a day, and once.',
      ],
      button: { label: 'Confirm this address', url },
      footnote: 'It was not you? Then there is nothing to do: without the link nothing changes.',
    }),
  );
  if (result.kind === 'sent') return { kind: 'mailed' };
  await stores.accounts.putEmailChange({ ...change, isMailed: false });
  return { kind: 'link', url, reason: result.reason };
}
