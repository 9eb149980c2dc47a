import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { type MailParts, readMail } from './read-mail.ts';
import { until } from './until.ts';

export type ReceivedMail = MailParts & {
  from: string;
  to: readonly string[];
  /** Headers and body, with the line breaks of quoted-printable taken back. */
  text: string;
};

export type MailServer = {
  /** For ERRATA_SMTP_URL. */
  url: string;
  received: readonly ReceivedMail[];
  /** Addresses that it has no mailbox for, which it says for good. */
  refused: Set<string>;
  /** The newest mail to an address, once there is one. */
  mailTo(address: string): Promise<ReceivedMail>;
  close(): Promise<void>;
};

/** A mail server on this machine that takes everything, but what it is told to refuse. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const refused = new Set<string>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      if (!refused.has(address)) return done();
      done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const raw = Buffer.concat(chunks).toString('utf8');
        received.push({
          ...readMail(raw),
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: raw.replaceAll('=\r\n', '').replaceAll('=3D', '='),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refused,
    mailTo: (address) =>
      until(`a mail to ${address}`, () => received.findLast(({ to }) => to.includes(address)) ?? null),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
