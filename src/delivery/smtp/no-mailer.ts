import type { Mailer } from '../ports/mailer.ts';

/** For an instance without a mail server: says so, and what to set. */
export function createNoMailer(): Mailer {
  return {
    isConfigured: false,
    send: async () => ({
      kind: 'not_sent',
      isFinal: true,
      reason: 'No mail server is set up here: the operator can name one in ERRATA_SMTP_URL',
    }),
    close() {},
  };
}
