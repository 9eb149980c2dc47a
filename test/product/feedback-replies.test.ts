import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSmtpMailer } from '#delivery/smtp/smtp-mailer.ts';
import { FEEDBACK_REPLIES_PER_HOUR_MAX } from '#domain/alerts/delivery-budgets.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { HOUR_MS, MINUTE_MS } from '#lib/time.ts';
import { listActivities } from '#product/comments/list-activities.ts';
import { type DeliveryParts, RETRY_MS } from '#product/deliveries/delivery-parts.ts';
import { sendDelivery, takeDue } from '#product/deliveries/send-delivery.ts';
import { REPLY_CHARACTERS_MAX, replyToFeedback } from '#product/feedback/reply-to-feedback.ts';
import { resendReply } from '#product/feedback/resend-reply.ts';
import { FEEDBACK_TYPE } from '#protocol/event.ts';
import { hashOf } from '../contract/sample-events.ts';
import { type MailServer, startMailServer } from '../harness/mail-server.ts';
import { type DeliveryScene, openDeliveryScene } from './delivery-scene.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const MAILER = { isConfigured: true };

let scene: DeliveryScene;
let server: MailServer;
let member: Awaited<ReturnType<DeliveryScene['join']>>;
/** Sends over SMTP. */
let parts: DeliveryParts;
let feedbacks = 0;

beforeAll(async () => {
  scene = await openDeliveryScene();
  server = await startMailServer();
  member = await scene.join(scene.organization, 'member');
  const settings = { url: server.url, from: 'Errata <errata@example.com>' };
  parts = { ...scene.parts, mailer: createSmtpMailer(settings, SILENT) };
});
afterAll(async () => {
  parts?.mailer.close();
  await server?.close();
  await scene?.close();
});

/** The issue of a feedback from an address. */
async function newFeedback(email: string | null, message = 'It is broken.\nAgain!'): Promise<Issue> {
  const title = `Feedback ${++feedbacks}`;
  const at = scene.clock.nowMs;
  await scene.ingest(scene.organization, [
    {
      projectId: scene.shop.id,
      type: FEEDBACK_TYPE,
      title,
      groupingHash: hashOf(title),
      occurredAt: at,
      payload: {
        event_id: '0'.repeat(32),
        type: FEEDBACK_TYPE,
        level: 'info',
        platform: 'javascript',
        timestamp: at / 1_000,
        received: at / 1_000,
        logentry: { formatted: message },
        contexts: { feedback: { message, contact_email: email } },
      },
    },
  ]);
  return (await scene.stores.issues.findByHash(scene.organization.id, scene.shop.id, hashOf(title)))!;
}

const reply = (issue: Issue, text = 'Fixed in 1.2.\nThank you!', ctx = member, mailer = MAILER) =>
  replyToFeedback(ctx, mailer, issue, { eventId: null, text });

async function sendDue() {
  const taken = await takeDue(parts, 50);
  return await Promise.all(taken.map((delivery) => sendDelivery(parts, delivery)));
}

const newestOf = async (issue: Issue) =>
  (await listActivities(member, issue, { only: null, cursor: null, limit: 1 })).activities[0]!;

test('the sender gets the answer as plain text, and can answer its author', async () => {
  const issue = await newFeedback('cara@example.org');
  await reply(issue);
  expect(await newestOf(issue)).toMatchObject({
    type: 'reply',
    user: { id: member.userId },
    data: {
      text: 'Fixed in 1.2.\nThank you!',
      to: 'cara@example.org',
      delivery: { state: 'sealed', attempts: 0, lastError: null, doneAt: null },
    },
  });
  expect(await sendDue()).toEqual([{ state: 'sent', reason: null }]);
  const mail = await server.mailTo('cara@example.org');
  expect(mail.to).toEqual(['cara@example.org']);
  expect(mail.headers.get('subject')).toBe('Re: Your feedback');
  expect(mail.headers.get('from')).toBe('Errata <errata@example.com>');
  expect(mail.headers.get('to')).toBe('cara@example.org');
  expect(mail.headers.get('reply-to')).toBe(`A member <${member.email}>`);
  expect(mail.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(mail.headers.has('auto-submitted')).toBe(false);
  expect(mail.headers.has('list-unsubscribe')).toBe(false);
  expect(mail.plain).toBe('Fixed in 1.2.\nThank you!\n\nYou wrote:\n> It is broken.\n> Again!\n');
  expect(await newestOf(issue)).toMatchObject({
    data: { delivery: { state: 'sent', attempts: 1, doneAt: scene.clock.nowMs } },
  });
  const entries = await scene.pool.query(
    "SELECT action, target_name, data FROM audit_entries WHERE action = 'feedback.reply'",
  );
  expect(entries.rows).toMatchObject([{ target_name: issue.shortId, data: { to: 'cara@example.org' } }]);
  // The log of alerts is not about it.
  expect(await scene.log()).toEqual([]);
});

test('what the mail server refuses for good, and what it could not take, stands with the answer', async () => {
  const issue = await newFeedback('nobody@example.org');
  await reply(issue);
  scene.answers.mail = { kind: 'not_sent', reason: 'The mail server is away', isFinal: false };
  expect(await scene.sendDue()).toMatchObject([{ state: 'later' }]);
  expect(scene.mailed.at(-1)?.to).toBe('nobody@example.org');
  expect(await newestOf(issue)).toMatchObject({
    data: { delivery: { state: 'sealed', attempts: 1, lastError: 'The mail server is away' } },
  });
  scene.clock.nowMs += RETRY_MS[0]!;
  scene.answers.mail = { kind: 'not_sent', reason: 'No such mailbox', isFinal: true, status: 550 };
  expect(await scene.sendDue()).toMatchObject([{ state: 'failed' }]);
  expect(await newestOf(issue)).toMatchObject({
    data: { delivery: { state: 'failed', attempts: 2, lastError: 'No such mailbox' } },
  });
  // It stays as long as the issue does.
  await scene.stores.deliveries.forget(scene.clock.nowMs + 365 * 24 * HOUR_MS, 100);
  expect(await newestOf(issue)).toMatchObject({ data: { delivery: { state: 'failed' } } });
});

describe('a reply that failed', () => {
  async function failed(address: string): Promise<{ issue: Issue; replyId: number }> {
    const issue = await newFeedback(address);
    const { id } = await reply(issue);
    scene.answers.mail = { kind: 'not_sent', reason: 'No such mailbox', isFinal: true, status: 550 };
    expect(await scene.sendDue()).toMatchObject([{ state: 'failed' }]);
    return { issue, replyId: id };
  }
  const resend = (issue: Issue, replyId: number, ctx = member, mailer = MAILER) =>
    resendReply(ctx, mailer, issue, { replyId });

  test('is sent again as it was, once, by any member, in the name of its author', async () => {
    scene.clock.nowMs += 2 * HOUR_MS;
    const { issue, replyId } = await failed('gil@example.org');
    const other = await scene.join(scene.organization, 'member');
    const queued = await resend(issue, replyId, other);
    expect(queued).toMatchObject({
      id: replyId,
      user: { id: member.userId },
      data: { delivery: { state: 'sealed', attempts: 0, lastError: null, doneAt: null } },
    });
    await expect(resend(issue, replyId)).rejects.toMatchObject({ code: 'conflict' });
    expect(await sendDue()).toEqual([{ state: 'sent', reason: null }]);
    const mail = await server.mailTo('gil@example.org');
    expect(mail.headers.get('reply-to')).toContain(member.email);
    expect(mail.plain).toBe('Fixed in 1.2.\nThank you!\n\nYou wrote:\n> It is broken.\n> Again!\n');
    await expect(resend(issue, replyId)).rejects.toMatchObject({ code: 'conflict' });
    const entries = await scene.pool.query(
      "SELECT actor_user_id, target_name, data FROM audit_entries WHERE action = 'feedback.resend'",
    );
    expect(entries.rows).toMatchObject([
      { actor_user_id: other.userId, target_name: issue.shortId, data: { to: 'gil@example.org' } },
    ]);
  });

  test('quotes nothing once its feedback is gone, and counts among those of an hour', async () => {
    scene.clock.nowMs += 2 * HOUR_MS;
    const { issue, replyId } = await failed('hal@example.org');
    await scene.pool.query(
      `UPDATE activities SET data = data || '{"eventId": "${'e'.repeat(32)}"}' WHERE id = $1`,
      [replyId],
    );
    scene.clock.nowMs += 2 * HOUR_MS;
    await scene.pool.query(
      `INSERT INTO deliveries (id, organization_id, kind, user_id, due_at, created_at, state)
       SELECT gen_random_uuid(), $1, 'reply', $2, $3, $3, 'sent' FROM generate_series(1, $4::int)`,
      [
        scene.organization.id,
        member.userId,
        new Date(scene.clock.nowMs - MINUTE_MS),
        FEEDBACK_REPLIES_PER_HOUR_MAX - 1,
      ],
    );
    await resend(issue, replyId);
    await expect(reply(issue)).rejects.toMatchObject({ code: 'rate_limited' });
    await sendDue();
    expect((await server.mailTo('hal@example.org')).plain).toBe('Fixed in 1.2.\nThank you!\n');
  });

  test('takes a mail server, a member, its own issue, and an author', async () => {
    scene.clock.nowMs += 2 * HOUR_MS;
    const { issue, replyId } = await failed('ida@example.org');
    await expect(resend(issue, replyId, member, { isConfigured: false })).rejects.toThrow('No mail server');
    const viewer = await scene.join(scene.organization, 'viewer');
    await expect(resend(issue, replyId, viewer)).rejects.toMatchObject({ code: 'forbidden' });
    const another = await newFeedback('ida@example.org');
    await expect(resend(another, replyId)).rejects.toMatchObject({ code: 'not_found' });
    await scene.pool.query('UPDATE activities SET user_id = NULL WHERE id = $1', [replyId]);
    await expect(resend(issue, replyId)).rejects.toThrow('author was deleted');
  });
});

test('nothing in a text or a name becomes a header', async () => {
  const issue = await newFeedback('dan@example.org', 'x\r\nBcc: all@example.org\r\n\r\nhi');
  await scene.pool.query('UPDATE users SET name = $2 WHERE id = $1', [
    member.userId,
    'Eve\r\nBcc: all@example.org',
  ]);
  await reply(issue, 'Hello\r\nBcc: all@example.org\r\n.\r\nQUIT\0');
  await sendDue();
  const mail = await server.mailTo('dan@example.org');
  expect(mail.to).toEqual(['dan@example.org']);
  expect(mail.headers.has('bcc')).toBe(false);
  expect(mail.headers.get('reply-to')).toBe(`"Eve Bcc: all@example.org" <${member.email}>`);
  expect(mail.plain).toBe(
    'Hello\nBcc: all@example.org\n.\nQUIT\n\nYou wrote:\n> x\n> Bcc: all@example.org\n> \n> hi\n',
  );
});

test.each([null, '', '[email]', '****', 'ana@example.com,bob@example.com', 'a@b.com\nBcc: c@d.com'])(
  'a feedback from %j cannot be answered',
  async (email) => {
    await expect(reply(await newFeedback(email))).rejects.toMatchObject({ code: 'invalid' });
  },
);

test('it takes a text, a mail server, a feedback, and a member', async () => {
  const issue = await newFeedback('ed@example.org');
  await expect(reply(issue, ' \n')).rejects.toMatchObject({ code: 'invalid', field: 'text' });
  await expect(reply(issue, 'x'.repeat(REPLY_CHARACTERS_MAX + 1))).rejects.toMatchObject({ code: 'invalid' });
  await expect(reply(issue, 'x', member, { isConfigured: false })).rejects.toThrow('No mail server');
  const { issue: error } = await scene.newIssue('An error');
  await expect(reply(error)).rejects.toMatchObject({ code: 'invalid' });
  const viewer = await scene.join(scene.organization, 'viewer');
  await expect(reply(issue, 'x', viewer)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(
    replyToFeedback(member, MAILER, issue, { eventId: 'f'.repeat(32), text: 'x' }),
  ).rejects.toMatchObject({ code: 'invalid' });
  expect(await sendDue()).toEqual([]);
});

test('an organization sends so many in an hour', async () => {
  scene.clock.nowMs += 2 * HOUR_MS;
  const issue = await newFeedback('flo@example.org');
  await scene.pool.query(
    `INSERT INTO deliveries (id, organization_id, kind, user_id, due_at, created_at, state)
     SELECT gen_random_uuid(), $1, 'reply', $2, $3, $3, 'sent' FROM generate_series(1, $4::int)`,
    [
      scene.organization.id,
      member.userId,
      new Date(scene.clock.nowMs - MINUTE_MS),
      FEEDBACK_REPLIES_PER_HOUR_MAX - 1,
    ],
  );
  await reply(issue);
  await expect(reply(issue)).rejects.toMatchObject({ code: 'rate_limited' });
  scene.clock.nowMs += HOUR_MS - MINUTE_MS;
  await reply(issue, 'Later');
  expect(await newestOf(issue)).toMatchObject({ data: { text: 'Later' } });
});
