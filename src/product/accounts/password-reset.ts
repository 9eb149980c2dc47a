import type { MailResult } from '#delivery/ports/mailer.ts';
import { addressGroup } from '#lib/client-address.ts';
import { ErrataError, invalid, notFound, tooManyRequests } from '#lib/errors.ts';
import { createOneTimeSecret, hashSecret } from '#lib/one-time-secret.ts';
import { createThrottle } from '#lib/throttle.ts';
import { auditSignInChange } from '#product/audit/audited.ts';
import { composeMail } from '#product/messages/compose-mail.ts';
import type { Services } from '#product/services.ts';
import type { WebServices } from '#product/stores.ts';
import { checkEmail } from './check-email.ts';
import { checkPassword, findOwnWords } from './check-password.ts';
import { revokeDelegated } from './own-account/sessions.ts';

/** Nobody's mailbox is to be filled by others, and nobody is to find out addresses by asking many. */
const byAccount = createThrottle({ triesMax: 3, refillMs: 10 * 60_000 });
const byAddress = createThrottle({ triesMax: 10, refillMs: 60_000 });

/**
 * The work of mailing a reset link, done after the answer so that neither its text nor its time says whether an account
 * exists; it returns null for an unknown address. Throws Invalid, RateLimited, and Unavailable without a mail server.
 */
export function requestPasswordReset(
  { stores, mailer, publicUrl, now }: Pick<Services, 'stores' | 'mailer' | 'publicUrl' | 'now'>,
  input: { email: string; ipAddress: string | null },
): () => Promise<MailResult | null> {
  const email = checkEmail(input.email);
  if (!mailer.isConfigured) {
    throw new ErrataError(
      'unavailable',
      'Email is not set up on this server: ask your administrator for a one-time link',
    );
  }
  const waitSeconds = byAddress.take(addressGroup(input.ipAddress)) ?? byAccount.take(email);
  if (waitSeconds !== null) throw tooManyRequests(waitSeconds);
  return async () => {
    const user = await stores.accounts.findUserByEmail(email);
    if (!user) return null;
    const token = await createPasswordReset(stores, email, now());
    return mailer.send(
      composeMail({
        to: user.email,
        subject: 'Reset your Errata password',
        heading: 'Choose a new password',
        paragraphs: [
          `Someone requested a new password for ${user.email} on ${publicUrl}. Use the link below to choose one.`,
        ],
        button: { label: 'Choose a new password', url: `${publicUrl}/reset-password/${token}` },
        footnote:
          'The link works once, within an hour. If this was not you, ignore this email: your password does not change.',
      }),
    );
  };
}

/** Whether a reset address still opens; does not use it up. */
export async function checkPasswordReset(
  stores: Pick<WebServices, 'accounts'>,
  token: string,
  nowMs: number,
): Promise<boolean> {
  return stores.accounts.checkOneTimeSecret('reset_password', hashSecret(token), nowMs);
}

export const PASSWORD_RESET_MS = 3600 * 1000;

/** A token for `/reset-password/<token>`: valid for an hour, once, and instead of an earlier one. Throws NotFound. */
export async function createPasswordReset(
  stores: Pick<WebServices, 'accounts'>,
  email: string,
  nowMs: number,
): Promise<string> {
  const user = await stores.accounts.findUserByEmail(checkEmail(email));
  if (!user) throw notFound(`No user has the email address ${email}: check the spelling`);
  const token = createOneTimeSecret();
  await stores.accounts.putOneTimeSecret({
    purpose: 'reset_password',
    userId: user.id,
    secretHash: hashSecret(token),
    expiresAt: nowMs + PASSWORD_RESET_MS,
  });
  return token;
}

/** Sets a password, ends all sessions (`revokesTokens`: and tokens). Returns device cookies. Throws Invalid. */
export async function resetPassword(
  { stores, now }: Pick<Services, 'stores' | 'now'>,
  input: { token: string; password: string; revokesTokens: boolean; ipAddress?: string | null },
): Promise<readonly string[]> {
  const { accounts, authenticator } = stores;
  const ipAddress = input.ipAddress ?? null;
  const secretHash = hashSecret(input.token);
  const owner = await accounts.findOneTimeSecretUser('reset_password', secretHash, now());
  if (!owner) throw opensNoMore();
  await checkPassword(input.password, await findOwnWords(stores, owner));
  await auditSignInChange(
    { stores, now },
    {
      action: 'user.password-reset',
      ipAddress,
      change: async (within) => {
        const secret = await within.accounts.takeOneTimeSecret('reset_password', secretHash, now());
        if (secret?.userId !== owner.id) throw opensNoMore();
        await within.authenticator.setPassword(owner.id, input.password);
        if (input.revokesTokens) await revokeDelegated({ stores: within, now, ipAddress }, owner);
        return owner;
      },
    },
  );
  return authenticator.knowDevice(owner.id);
}

const opensNoMore = () =>
  invalid('This link was already used or is older than an hour: request a new one', 'token');
