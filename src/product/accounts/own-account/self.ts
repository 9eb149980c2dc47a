import { invalid } from '#lib/errors.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { AuditAction } from '#product/audit/audit-actions.ts';
import { auditSignInChange } from '#product/audit/audited.ts';
import { composeMail } from '#product/messages/compose-mail.ts';
import type { Services } from '#product/services.ts';
import type { Session } from '#storage/ports/authenticator.ts';

/** A signed-in person with their own account; no organization is involved. */
export type Self = Pick<Services, 'stores' | 'now' | 'publicUrl' | 'mailer'> & {
  session: Session;
  /** Of the request. */
  headers: Headers;
  /** Where the request came from; null when unknown. */
  ipAddress: string | null;
};

/** Changes how the account signs in, with audit log entries. `change` returns null when nothing changed. */
export async function changeOwnAccess<Result>(
  self: Self,
  action: AuditAction,
  change: (self: Self) => Promise<Result | null>,
): Promise<Result | null> {
  const { userId: id, email, name, isInstanceOwner } = self.session;
  let result: Result | null = null;
  await auditSignInChange(self, {
    action,
    ipAddress: self.ipAddress,
    change: async (stores) => {
      result = await change({ ...self, stores });
      return result === null ? null : { id, email, name, isInstanceOwner };
    },
  });
  return result;
}

/** For an account without a password, signing in is the proof; it has to be as recent as a password just typed. */
const RECENT_SIGN_IN_MS = 10 * MINUTE_MS;

/** The password, or null for an account without one that signed in recently. Throws Invalid, RateLimited. */
export async function requirePassword(self: Self, password: string): Promise<string | null> {
  const { stores, session, now } = self;
  const profile = await stores.accounts.findProfile(session.userId);
  if (!profile?.hasPassword) {
    if (now() - session.createdAt < RECENT_SIGN_IN_MS) return null;
    throw invalid(
      'Sign in again to change this: you have no password, and signed in more than 10 minutes ago',
    );
  }
  if (password === '') throw invalid('Enter your current password', 'currentPassword');
  const isRight = await stores.authenticator.checkPassword({ userId: session.userId, password });
  if (!isRight) throw invalid('Incorrect password: check it and try again', 'currentPassword');
  return password;
}

/** Tells the owner of the account what changed, by mail where there is a mail server; nobody waits for it. */
export function notifyOwner(
  { mailer, publicUrl }: Pick<Self, 'mailer' | 'publicUrl'>,
  to: string,
  what: string,
): void {
  if (!mailer.isConfigured) return;
  void mailer.send(
    composeMail({
      to,
      subject: `${what} – Errata`,
      heading: what,
      paragraphs: [`This happened on ${publicUrl}. If this was you, you do not need to do anything.`],
      button: null,
      footnote:
        'If this was not you, reset your password on the sign-in page and contact your administrator.',
    }),
  );
}

const NAME_CHARS_MAX = 100;
/** The name stands in mails and in the audit log. */
const CONTROL_CHARACTER = /\p{Cc}/u;

/** Throws Invalid with the field's name. */
export async function renameSelf({ stores, session }: Self, input: { name: string }): Promise<void> {
  const name = input.name.trim();
  if (name === '') throw invalid('Enter a name', 'name');
  if (name.length > NAME_CHARS_MAX) throw invalid(`Use at most ${NAME_CHARS_MAX} characters`, 'name');
  if (CONTROL_CHARACTER.test(name))
    throw invalid('Enter the name on one line, without control characters', 'name');
  await stores.accounts.renameUser(session.userId, name);
}
