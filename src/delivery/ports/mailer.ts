/** One mail to one person. */
export type MailMessage = {
  /** One address, without a name: `ana@example.com`. */
  to: string;
  /** One line. */
  subject: string;
  text: string;
  html: string;
};

export type MailResult =
  /** The mail server took it. */
  | { kind: 'sent' }
  /** `reason` is a sentence for the person who caused the mail; it says what to do. */
  | { kind: 'not_sent'; reason: string };

export interface Mailer {
  /** Whether a mail server is named in the settings; without one every `send` answers `not_sent`. */
  readonly isConfigured: boolean;
  /** Never throws, and answers within `MAIL_MS_MAX`. */
  send(message: MailMessage): Promise<MailResult>;
  /** Lets go of open connections. */
  close(): void;
}

/** The longest that one mail may take, its wait in the line included. */
export const MAIL_MS_MAX = 20_000;
