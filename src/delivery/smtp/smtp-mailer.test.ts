import { type AddressInfo, createServer, type Server } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import { testInFull } from '../../../test/harness/is-full.ts';
import type { MailMessage } from '../ports/mailer.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const FROM = 'Errata <errata@example.com>';

type Received = { from: string; to: readonly string[]; text: string; user: string | null };

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A mail server on this machine that keeps what it takes. */
async function openServer(options: { refuses?: string; takesMs?: number } = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      password === 'p@ss:word' ? done(null, { user: username }) : done(new Error('Invalid login')),
    onRcptTo: ({ address }, _session, done) => {
      const isRefused = options.refuses && address === options.refuses;
      setTimeout(() => done(isRefused ? new Error('No such mailbox') : null), options.takesMs ?? 0);
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push({
          from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
          to: session.envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString('utf8'),
          user: (session.user as string | undefined) ?? null,
        });
        done();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.server.address() as AddressInfo).port, received };
}

function open(url: string, timeMsMax?: number) {
  const mailer = createSmtpMailer({ url, from: FROM }, SILENT, timeMsMax);
  closers.push(() => mailer.close());
  return mailer;
}

const mail = (to: string): MailMessage => ({
  to,
  subject: 'Join\r\nBcc: thief@example.com',
  text: 'Open: https://errors.example.com/invite/abc',
  html: '<p>Join &lt;Main&gt;</p>',
});

test('a mail arrives as text and HTML, from the address of the settings, after signing in', async () => {
  const { port, received } = await openServer();
  const mailer = open(`smtp://errata:${encodeURIComponent('p@ss:word')}@127.0.0.1:${port}`);
  expect(mailer.isConfigured).toBe(true);
  expect(await mailer.send(mail('ana@example.com'))).toEqual({ kind: 'sent' });
  expect(received).toMatchObject([{ from: 'errata@example.com', to: ['ana@example.com'], user: 'errata' }]);
  const { text } = received[0]!;
  expect(text).toContain('From: Errata <errata@example.com>');
  expect(text).toContain('multipart/alternative');
  expect(text).toContain('https://errors.example.com/invite/abc');
  expect(text).toContain('Join &lt;Main&gt;');
  expect(text).toContain('Auto-Submitted: auto-generated');
});

test('neither a subject nor an address adds a header or somebody who gets it too', async () => {
  const { port, received } = await openServer();
  const mailer = open(`smtp://127.0.0.1:${port}`);
  await mailer.send(mail('ana@example.com'));
  await mailer.send(mail('ana@example.com, thief@example.com'));
  expect(received.flatMap(({ to }) => to)).not.toContain('thief@example.com');
  expect(received[0]?.text).toContain('Subject: Join Bcc: thief@example.com');
  expect(received[0]?.text).not.toMatch(/^Bcc:/im);
});

test.each([
  ['a wrong password', 'smtp://errata:wrong@127.0.0.1:PORT', 'ana@example.com', /Invalid login/],
  ['a mailbox that does not exist', 'smtp://127.0.0.1:PORT', 'nobody@example.com', /No such mailbox/],
])('%s is told, not thrown', async (_, url, to, reason) => {
  const { port } = await openServer({ refuses: 'nobody@example.com' });
  const result = await open(url.replace('PORT', String(port))).send(mail(to));
  expect(result).toMatchObject({ kind: 'not_sent', reason: expect.stringMatching(reason) });
});

test('a mail of a list says how to leave it, and every try has the same id', async () => {
  const { port, received } = await openServer();
  const mailer = open(`smtp://127.0.0.1:${port}`);
  const unsubscribeUrl = `https://errors.example.com/unsubscribe/${'a'.repeat(120)}`;
  const listed = { ...mail('ana@example.com'), id: '0b6c0f9e-1c1b-4d6e-9a54-3f1f8f0a5b11', unsubscribeUrl };
  await mailer.send(listed);
  await mailer.send(listed);
  for (const { text } of received) {
    const head = text.slice(0, text.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
    expect(head).toContain('Message-ID: <0b6c0f9e-1c1b-4d6e-9a54-3f1f8f0a5b11@example.com>');
    expect(head).toContain(`List-Unsubscribe: <${unsubscribeUrl}>`);
    expect(head).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  }
  expect(received).toHaveLength(2);
});

test('a mailbox that does not exist is final, a server that is away is not', async () => {
  const { port } = await openServer({ refuses: 'nobody@example.com' });
  const refused = await open(`smtp://127.0.0.1:${port}`).send(mail('nobody@example.com'));
  expect(refused).toMatchObject({ kind: 'not_sent', isFinal: true, status: 550 });
  expect(await open('smtp://127.0.0.1:1').send(mail('ana@example.com'))).toMatchObject({ isFinal: false });
  expect(await open(`smtp://errata:wrong@127.0.0.1:${port}`).send(mail('ana@example.com'))).toMatchObject({
    isFinal: false,
  });
});

test('a server that is not there is told', async () => {
  const { port } = await openServer();
  for (const close of closers.splice(0)) await close();
  expect(await open(`smtp://127.0.0.1:${port}`).send(mail('ana@example.com'))).toMatchObject({
    kind: 'not_sent',
    reason: expect.stringContaining('ECONNREFUSED'),
  });
});

test('a server that says nothing holds nobody up', async () => {
  const silent: Server = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise<void>((resolve) => silent.close(() => resolve())));
  const mailer = open(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`, 800);
  expect(await mailer.send(mail('ana@example.com'))).toMatchObject({ kind: 'not_sent' });
});

test('what a slow server did not take in time is never sent, and another try sends it once', async () => {
  // It is over in the middle of the second mail: what is given up then has told the server no word of its text.
  const { port, received } = await openServer({ takesMs: 500 });
  const mailer = open(`smtp://127.0.0.1:${port}`, 800);
  const ids = Array.from({ length: 6 }, (_, index) => `mail-${index}@example.com`);
  const sent: string[] = [];
  let rounds = 0;
  for (let left = ids; left.length > 0 && rounds < 10; rounds++) {
    const results = await Promise.all(left.map((to) => mailer.send(mail(to))));
    sent.push(...left.filter((_, index) => results[index]?.kind === 'sent'));
    left = left.filter((_, index) => results[index]?.kind !== 'sent');
    for (const result of results.filter(({ kind }) => kind !== 'sent')) {
      expect(result).toMatchObject({ isFinal: false, reason: expect.stringContaining('within 0.8 s') });
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(rounds).toBeGreaterThan(1);
  expect(received.flatMap(({ to }) => to).sort()).toEqual([...ids].sort());
  expect(sent).toHaveLength(ids.length);
});

test('a password does not go to another machine without TLS', async () => {
  const { port } = await openServer();
  // 127.0.0.1 under a name that does not say so, as a server elsewhere would be.
  const mailer = open(`smtp://errata:secret@0.0.0.0:${port}`);
  expect(await mailer.send(mail('ana@example.com'))).toMatchObject({
    kind: 'not_sent',
    reason: expect.stringMatching(/STARTTLS|TLS/i),
  });
});

testInFull('more mails than the line holds are refused at once', async () => {
  const { port } = await openServer();
  const mailer = open(`smtp://127.0.0.1:${port}`);
  const results = await Promise.all(Array.from({ length: 230 }, () => mailer.send(mail('ana@example.com'))));
  expect(results.filter(({ kind }) => kind === 'sent')).toHaveLength(200);
  expect(results.at(-1)).toMatchObject({ reason: expect.stringContaining('too many emails are queued') });
});
