import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { openSharedIssue } from '#product/sharing/open-shared-issue.ts';
import {
  getOrganizationSharing,
  getSharing,
  setSharingAllowed,
  shareIssue,
  stopSharing,
} from '#product/sharing/sharing.ts';
import type { WebServices } from '#product/stores.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import { NOON_MS, newEventId } from '../contract/sample-events.ts';
import { openProduct, type Product } from './open-product.ts';

/** Stands wherever an event holds what nobody outside may see. */
const SECRET = 's3cret-of-somebody';

let product: Product;
let viewer: Context;
let member: Context;
let manager: Context;
let stranger: Context;

beforeAll(async () => {
  product = await openProduct();
  const mine = await product.createOrganization();
  [viewer, member, manager] = await Promise.all([
    product.join(mine, 'viewer'),
    product.join(mine, 'member'),
    product.join(mine, 'manager'),
  ]);
  stranger = await product.join(await product.createOrganization(), 'owner', true);
  const web = await product.createProject(mine, 'web');
  const eventId = newEventId();
  const payload: NormalizedEvent = {
    event_id: eventId,
    type: 'error',
    level: 'error',
    platform: 'javascript',
    timestamp: NOON_MS / 1000,
    received: NOON_MS / 1000,
    server_name: SECRET,
    transaction: SECRET,
    user: { id: SECRET, email: `${SECRET}@example.com`, ip_address: '203.0.113.7' },
    request: { url: `https://x.example/${SECRET}`, headers: [['Cookie', SECRET]], data: SECRET },
    breadcrumbs: { values: [{ message: SECRET, data: { SECRET } }] },
    contexts: { state: { value: SECRET } },
    extra: { SECRET },
    tags: [['customer', SECRET]],
    modules: { [SECRET]: '1' },
    exception: {
      values: [
        {
          type: 'TypeError',
          value: 'x is undefined',
          mechanism: { type: 'generic', data: { SECRET } },
          stacktrace: {
            registers: { rax: SECRET },
            frames: [
              {
                function: 'pay',
                filename: `app.js?session=${SECRET}`,
                abs_path: `https://x.example/${SECRET}/app.js`,
                lineno: 3,
                colno: 7,
                in_app: true,
                vars: { card: SECRET },
                pre_context: [SECRET],
                context_line: 'pay(card)',
                post_context: [SECRET],
              },
            ],
          },
        },
      ],
    },
  };
  await product.ingest(mine, [
    { projectId: web.id, eventId, payload, user: { id: SECRET, email: null, username: null, ip: null } },
  ]);
});
afterAll(async () => {
  await product?.close();
});

const issueOf = (ctx: Context) => getIssue(ctx, 'WEB-1');
const open = (token: string) =>
  openSharedIssue({ stores: product.stores as WebServices, now: () => product.clock.nowMs }, token);

test('a shared issue shows what was chosen to be shown, and nothing else', async () => {
  const { token, url, share } = await shareIssue(member, await issueOf(member), { days: 7 });
  expect(url).toBe(`${member.publicUrl}/share/issue/${token}`);
  expect(share.expiresAt).toBe(product.clock.nowMs + 7 * DAY_MS);
  const shared = await open(token);
  expect(shared).toEqual({
    title: 'TypeError: x is undefined',
    type: 'TypeError',
    timesSeen: 1,
    firstSeen: NOON_MS,
    lastSeen: NOON_MS,
    expiresAt: share.expiresAt,
    exceptions: [
      {
        type: 'TypeError',
        frames: [
          {
            function: 'pay',
            module: null,
            filename: 'app.js',
            lineNumber: 3,
            columnNumber: 7,
            contextLine: 'pay(card)',
            isInApp: true,
          },
        ],
      },
    ],
  });
  expect(JSON.stringify(shared)).not.toContain(SECRET);
});

test('the token is kept as a hash only', async () => {
  const { token } = await shareIssue(member, await issueOf(member), { days: 1 });
  const { rows } = await product.pool.query('SELECT token_hash FROM issue_shares');
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(rows).toHaveLength(1);
});

test('a new share closes the one before; it ends by its time, by hand, and with the organization’s switch', async () => {
  const first = await shareIssue(member, await issueOf(member), { days: 1 });
  const second = await shareIssue(member, await issueOf(member), { days: 1 });
  expect(await open(first.token)).toBeNull();
  expect(await open(second.token)).not.toBeNull();
  product.clock.nowMs += DAY_MS;
  expect(await open(second.token)).toBeNull();
  expect(await getSharing(viewer, await issueOf(viewer))).toEqual({ isAllowed: true, share: null });

  const third = await shareIssue(member, await issueOf(member), { days: 30 });
  expect((await getOrganizationSharing(viewer)).shares).toMatchObject([{ shortId: 'WEB-1' }]);
  await expect(setSharingAllowed(member, false)).rejects.toMatchObject({ code: 'forbidden' });
  await setSharingAllowed(manager, false);
  expect(await open(third.token)).toBeNull();
  await expect(shareIssue(member, await issueOf(member), { days: 1 })).rejects.toMatchObject({
    code: 'forbidden',
  });
  await setSharingAllowed(manager, true);
  expect(await open(third.token)).not.toBeNull();
  expect(await stopSharing(member, await issueOf(member))).toBe(true);
  expect(await stopSharing(member, await issueOf(member))).toBe(false);
  expect(await open(third.token)).toBeNull();
});

test('who may not share does not, and nobody opens what was never shared', async () => {
  await expect(shareIssue(viewer, await issueOf(viewer), { days: 1 })).rejects.toMatchObject({
    code: 'forbidden',
  });
  await expect(shareIssue(member, await issueOf(member), { days: 365 })).rejects.toMatchObject({
    code: 'invalid',
  });
  const foreign = { ...(await issueOf(member)) };
  await expect(shareIssue(stranger, foreign, { days: 1 })).rejects.toMatchObject({ code: 'not_found' });
  expect(await getOrganizationSharing(stranger)).toEqual({ isAllowed: true, shares: [] });
  for (const token of ['', 'x', 'a'.repeat(43), `${'a'.repeat(42)}'`]) expect(await open(token)).toBeNull();
});
