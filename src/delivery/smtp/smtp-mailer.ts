import { isIP } from 'node:net';
import type { Transporter } from 'nodemailer';
import { messageOf } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import {
  MAIL_MS_MAX,
  type Mailer,
  type MailMessage,
  type MailResult,
  NO_MAIL_SERVER,
} from '../ports/mailer.ts';

type SmtpSettings = {
  /** `smtp://user:password@host:587` (STARTTLS) or `smtps://…:465`. */
  url: string;
  /** `errata@example.com` or `Errata <errata@example.com>`. */
  from: string;
};

/** Connections to the mail server at once. */
const CONNECTIONS_MAX = 2;
/** Mails in flight and in line; more are refused at once. */
const WAITING_MAX = 200;
const STEP_MS_MAX = 10_000;

/** Without a mail server it is one that says so, and what to set. */
export const openMailer = (settings: SmtpSettings | null, log: Log): Mailer =>
  settings ? createSmtpMailer(settings, log) : createNoMailer();

/**
 * Sends over SMTP, to the host of the settings and nowhere else. Passwords go over TLS, except to this machine. What takes
 * longer than `timeMsMax`, its wait in the line included, is given up: it leaves the line, or its connection ends.
 */
export function createSmtpMailer(settings: SmtpSettings, log: Log, timeMsMax = MAIL_MS_MAX): Mailer {
  let loading: Promise<Transporter> | null = null;
  let waiting = 0;
  // Most processes never send a mail, and the library is not small.
  const transport = () => {
    loading ??= openTransport(settings);
    return loading;
  };
  return {
    isConfigured: true,
    async send(message) {
      if (waiting >= WAITING_MAX) return notSent('too many emails are queued', 'Try again in a minute');
      waiting++;
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), timeMsMax);
      try {
        return await deliver(await transport(), settings.from, message, late.signal);
      } catch (error) {
        const reason = late.signal.aborted ? `no response within ${timeMsMax / 1000} s` : firstLine(error);
        log.warn({ reason }, 'an email was not sent');
        return notSent(reason, 'Administrators: see docs/operate.md for the settings', refusalStatus(error));
      } finally {
        clearTimeout(timer);
        waiting--;
      }
    },
    close() {
      void loading?.then((open) => open.close());
    },
  };
}

async function openTransport({ url }: SmtpSettings): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const { protocol, hostname, port, username, password } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isTls = protocol === 'smtps:';
  const user = decodeURIComponent(username);
  return createTransport({
    host,
    port: port ? Number(port) : isTls ? 465 : 587,
    secure: isTls,
    // Without this a person in the middle could talk the two out of TLS and read the password.
    requireTLS: user !== '' && !isLoopback(host),
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(password) } }),
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    connectionTimeout: STEP_MS_MAX,
    greetingTimeout: STEP_MS_MAX,
    socketTimeout: STEP_MS_MAX,
    // At once: what is still to be written of a mail that was given up does not reach the server.
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

async function deliver(
  open: Transporter,
  from: string,
  message: MailMessage,
  signal: AbortSignal,
): Promise<MailResult> {
  await open.sendMail({
    signal,
    from,
    // As an object it is one address, whatever commas and brackets it holds.
    to: { name: '', address: message.to },
    subject: message.subject,
    text: message.text,
    ...(message.html !== undefined && { html: message.html }),
    ...(message.replyTo !== undefined && { replyTo: message.replyTo }),
    ...(message.id !== undefined && { messageId: `<${message.id}@${domainOf(from)}>` }),
    headers: {
      // Auto-replies of people on holiday would go nowhere; those to a person do not.
      ...(message.replyTo === undefined && { 'Auto-Submitted': 'auto-generated' }),
      // Source: RFC 8058.
      ...(message.unsubscribeUrl !== undefined && {
        'List-Unsubscribe': { prepared: true, value: `<${message.unsubscribeUrl}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  });
  return { kind: 'sent' };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

const REASON_CHARS_MAX = 200;

/** What the mail server or the network said, without the lines of a dialogue. */
function firstLine(error: unknown): string {
  const text = messageOf(error);
  return (text.split('\n')[0] ?? '').slice(0, REASON_CHARS_MAX);
}

const domainOf = (from: string): string => /@([^@>\s]+)>?$/.exec(from)?.[1] ?? 'errata';

/** The code with which the server said that it knows no such mailbox, or wants nothing of this mail; else null. */
function refusalStatus(error: unknown): number | null {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const isRefusal = code === 'EENVELOPE' || code === 'EMESSAGE';
  return isRefusal && typeof responseCode === 'number' && responseCode >= 500 ? responseCode : null;
}

const notSent = (why: string, next: string, status: number | null = null): MailResult => ({
  kind: 'not_sent',
  isFinal: status !== null,
  reason: `The mail server did not accept the email (${why}). ${next}`,
  ...(status !== null && { status }),
});

/** For an instance without a mail server: says so, and what to set. */
export function createNoMailer(): Mailer {
  return {
    isConfigured: false,
    send: async () => ({ kind: 'not_sent', isFinal: true, reason: NO_MAIL_SERVER }),
    close() {},
  };
}
