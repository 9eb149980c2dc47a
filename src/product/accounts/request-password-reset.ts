import type { MailResult } from '#delivery/ports/mailer.ts';
import { addressGroup } from '#lib/client-address.ts';
import { ErrataError } from '#lib/errors.ts';
import { createThrottle } from '#lib/throttle.ts';
import { MINUTE_MS } from '#lib/time.ts';
import { composeMail } from '#product/mail/compose-mail.ts';
import type { Services } from '#product/services.ts';
import { checkEmail } from './check-email.ts';
import { createPasswordReset } from './create-password-reset.ts';

/** Nobody's mailbox is to be filled by others, and nobody is to find out addresses by asking many. */
const byAccount = createThrottle({ triesMax: 3, refillMs: 10 * MINUTE_MS });
const byAddress = createThrottle({ triesMax: 10, refillMs: MINUTE_MS });

/**
 * Answers the work of mailing a one-time address for a new password, to be done after the answer to whoever asked, so
 * that neither what it says nor how long it takes tells whether somebody has the address. The work answers null when
 * nobody has. Throws Invalid for what is no e-mail address, RateLimited, and Unavailable where no mail can be sent.
 */
export function requestPasswordReset(
  { stores, mailer, publicUrl, now }: Pick<Services, 'stores' | 'mailer' | 'publicUrl' | 'now'>,
  input: { email: string; ipAddress: string | null },
): () => Promise<MailResult | null> {
  const email = checkEmail(input.email);
  if (!mailer.isConfigured) {
    throw new ErrataError('unavailable', 'This server sends no mail: ask whoever runs it for a new address');
  }
  const waitSeconds = byAddress.take(addressGroup(input.ipAddress)) ?? byAccount.take(email);
  if (waitSeconds !== null) {
    throw new ErrataError(
      'rate_limited',
      `Too many requests: wait ${Math.ceil(waitSeconds / 60)} min and try again`,
      { retryAfterSeconds: waitSeconds },
    );
  }
  return async () => {
    const user = await stores.accounts.findUserByEmail(email);
    if (!user) return null;
    const token = await createPasswordReset(stores, email, now());
    return mailer.send(
      composeMail({
        to: user.email,
        subject: 'A new password for Errata',
        heading: 'Choose a new password',
        paragraphs: [
          `Somebody asked for a new password for ${user.email} on ${publicUrl}. The address below lets you choose one.`,
        ],
        button: { label: 'Choose a new password', url: `${publicUrl}/reset-password/${token}` },
        footnote:
          'The address opens for an hour, once. It was not you? Then do nothing: your password stays as it is.',
      }),
    );
  };
}
