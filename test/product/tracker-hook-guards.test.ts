import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { POST } from '#app/api/hooks/[org]/[kind]/[tracker]/route.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { provideServices } from '#product/services.ts';
import type { Tracker } from '#product/trackers/tracker-store.ts';
import { NOON_MS } from '../contract/sample-events.ts';
import { testInFull } from '../harness/is-full.ts';
import { PUBLIC_URL } from './open-product.ts';
import { servicesOf } from './product-services.ts';
import {
  connect,
  githubPush,
  gitlabPush,
  ISSUE_HOOKS,
  linksOf,
  member,
  openHookScene,
  organization,
  post,
  product,
  SECRET,
  SIGN,
  send,
  statusOf,
} from './tracker-hook-scene.ts';

openHookScene();

describe.each(['github', 'gitlab', 'jira', 'linear'] as const)('%s', (kind) => {
  const { event, body } = ISSUE_HOOKS[kind];

  test('what is not signed with its secret, or comes again, changes nothing', async () => {
    const tracker = await connect(kind);
    const text = JSON.stringify(body(true));
    const signed = SIGN[kind](text, event, 'once', SECRET);
    expect(await post(tracker, text, SIGN[kind](text, event, 'other', 'another secret'))).toBe('401');
    expect(await post(tracker, text, {})).toBe('401');
    if (kind !== 'gitlab') expect(await post(tracker, `${text} `, signed)).toBe('401');
    expect(await post(tracker, text, signed)).toBe('applied');
    expect(await post(tracker, text, signed)).toBe('repeated');
    // Whoever overheard it can name it otherwise, where the name is not signed.
    const renamed = SIGN[kind](text, event, 'renamed', SECRET);
    if (kind !== 'gitlab') expect(await post(tracker, text, renamed)).toBe('repeated');
    const stranger = await product.createOrganization();
    expect(await post(tracker, text, signed, stranger.slug)).toBe('404');
    expect(await post({ ...tracker, id: tracker.id + 1_000 }, text, signed)).toBe('404');
    const other = kind === 'github' ? 'gitlab' : 'github';
    expect(await post({ ...tracker, kind: other }, text, signed)).toBe('404');
  });
});

test('messages that say when they were sent are not taken much later', async () => {
  const jira = await connect('jira');
  const linear = await connect('linear');
  const late = { ...ISSUE_HOOKS.linear.body(true), webhookTimestamp: NOON_MS - 6 * 60_000 };
  expect(await send(linear, 'Issue', late)).toBe('401');
  const old = { ...ISSUE_HOOKS.jira.body(true), timestamp: NOON_MS - 25 * 60 * 60_000 };
  expect(await send(jira, '', old)).toBe('401');
});

test("GitLab's signing token is over id, time and body", async () => {
  const key = Buffer.from('0123456789abcdef0123456789abcdef');
  const tracker = await connect('gitlab', `whsec_${key.toString('base64')}`);
  const text = JSON.stringify(gitlabPush('fixes WEB-1'));
  const sign = (id: string, atMs: number) => {
    const sentAt = String(Math.floor(atMs / 1_000));
    const signature = createHmac('sha256', key).update(`${id}.${sentAt}.${text}`).digest('base64');
    return {
      'x-gitlab-event': 'Push Hook',
      'webhook-id': id,
      'webhook-timestamp': sentAt,
      'webhook-signature': `v1,AAAA v1,${signature}`,
    };
  };
  expect(await post(tracker, text, sign('a', NOON_MS - 10 * 60_000))).toBe('401');
  expect(await post(tracker, text, { ...sign('a', NOON_MS), 'webhook-id': 'b' })).toBe('401');
  const { 'webhook-signature': _signature, ...unsigned } = sign('a', NOON_MS);
  expect(await post(tracker, text, { ...unsigned, 'x-gitlab-token': SECRET })).toBe('401');
  expect(await post(tracker, text, sign('a', NOON_MS))).toBe('applied');
  expect(await post(tracker, text, sign('a', NOON_MS + 1_000))).toBe('repeated');
});

test('a message that breaks off is taken when it comes again', async () => {
  const tracker = await connect('github');
  const services = servicesOf(product);
  const broken = { ...services.stores.commits, resolveIssues: () => Promise.reject(new Error('away')) };
  provideServices({ ...services, stores: { ...services.stores, commits: broken } });
  await expect(send(tracker, 'push', githubPush('fixes WEB-1'), { id: 'same' })).rejects.toThrow('away');
  provideServices(services);
  expect((await statusOf('WEB-1'))[0]).toBe('unresolved');
  expect(await send(tracker, 'push', githubPush('fixes WEB-1'), { id: 'same' })).toBe('applied');
  expect((await statusOf('WEB-1'))[0]).toBe('resolved');
  expect(await linksOf('WEB-1')).toHaveLength(1);
});

test('issues that are named in another order than everybody locks them are no deadlock', async () => {
  const tracker = await connect('github');
  const { id } = await getIssue(member, 'WEB-1');
  let sent: Promise<string> | undefined;
  await product.db.transaction().execute(async (transaction) => {
    const lock = (issueId: number) =>
      sql`SELECT FROM issues WHERE id = ${issueId} FOR NO KEY UPDATE`.execute(transaction);
    await lock(id);
    sent = send(tracker, 'push', githubPush('fixes WEB-2, WEB-1'));
    await expect.poll(() => linksOf('WEB-2')).toHaveLength(1);
    await lock((await getIssue(member, 'WEB-2')).id);
  });
  expect(await sent).toBe('applied');
  expect((await statusOf('WEB-1'))[0]).toBe('resolved');
  expect((await statusOf('WEB-2'))[0]).toBe('resolved');
});

/** What is sent has been read by then, on a busy machine too. */
const TAKEN_WITHIN_MS = 1_500;

testInFull('nothing is read of what nobody expects, and not too much at once', async () => {
  const tracker = await connect('github');
  const signed = { 'x-hub-signature-256': 'sha256=00', 'content-length': String(8 * 1024 * 1024) };
  const open = (id: number, { headers = signed as Record<string, string>, bytes = 0 } = {}) => {
    let end = () => {};
    const body = new ReadableStream({
      start(controller) {
        if (bytes > 0) controller.enqueue(new Uint8Array(bytes));
        end = () => controller.close();
      },
    });
    const streamed = { method: 'POST', body, headers, duplex: 'half' };
    const request = new Request(`${PUBLIC_URL}/api/hooks`, streamed);
    const params = Promise.resolve({ org: organization.slug, kind: 'github', tracker: String(id) });
    return { answer: POST(request, { params }), end };
  };
  expect((await open(tracker.id + 1_000).answer).status).toBe(404);
  expect((await open(tracker.id, { headers: {} }).answer).status).toBe(401);
  const ping = (to: Tracker, id: string) => {
    const text = JSON.stringify(githubPush(`see WEB-1 ${id}`));
    return post(to, text, SIGN.github(text, 'push', id, SECRET));
  };
  const others = await Promise.all(['a', 'b', 'c', 'd'].map((name) => connect('github', SECRET, name)));

  // What is announced and does not come keeps nobody out, and what comes to one tracker only that one.
  const stalled = Array.from({ length: 4 }, () => open(tracker.id));
  const full = open(tracker.id, { bytes: 8 * 1024 * 1024 });
  await setTimeout(TAKEN_WITHIN_MS);
  const refused = await open(tracker.id, { bytes: 1 }).answer;
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
  expect(await ping(others[3]!, 'beside')).toBe('applied');

  const fullOfOthers = others.slice(0, 3).map(({ id }) => open(id, { bytes: 8 * 1024 * 1024 }));
  await setTimeout(TAKEN_WITHIN_MS);
  expect(await ping(others[3]!, 'too much')).toBe('503');

  const opened = [...stalled, full, ...fullOfOthers];
  for (const { end } of opened) end();
  for (const { answer } of opened) expect((await answer).status).toBe(401);
  for (const [index, to] of [tracker, ...others].entries()) {
    expect(await ping(to, `after ${index}`)).toBe('applied');
  }
});
