/** One mail to one person. */
export type MailMessage = {
  /** One address, without a name: `ana@example.com`. */
  to: string;
  /** One line. */
  subject: string;
  text: string;
  /** Absent: the mail is plain text. */
  html?: string;
  /** The same for every try, so that the reader's mail program can drop what it has already; absent for mails tried once. */
  id?: string;
  /** Who gets the answers; for mails that a person wrote. */
  replyTo?: { name: string; address: string };
  /** Opens a page that stops mails of this kind, and takes a POST that does; absent for mails that somebody asked for. */
  unsubscribeUrl?: string;
};

export type MailResult =
  /** The mail server took it. */
  | { kind: 'sent' }
  /**
   * `reason` is a sentence for the person who caused the mail; it says what to do. `isFinal`: no other try will help.
   * `status`: the SMTP code with which the server refused this mailbox or mail for good.
   */
  | { kind: 'not_sent'; reason: string; isFinal: boolean; status?: number };

/** The reason of every mail that an instance without a mail server does not send. */
export const NO_MAIL_SERVER =
  'No mail server is configured: your Errata administrator can set one with ERRATA_SMTP_URL';

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
