import { BlockList } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  EDGE_KEY,
  EDGE_PROJECT,
  expectRefusal,
  itemsOf,
  type OpenEdge,
  openEdge,
} from './harness/open-edge.ts';

const MIB = 1024 * 1024;

const proxies = new BlockList();
proxies.addAddress('127.0.0.1');

let edge: OpenEdge;
beforeAll(async () => {
  edge = await openEdge({ hasFeedbackForm: true, trustedProxies: proxies });
});
afterAll(() => edge.close());
beforeEach(() => {
  edge.records.length = 0;
  edge.refused.length = 0;
});

type Fields = Record<string, string | File>;

/** Each from an address of its own, unless one is given. */
let addresses = 0;
function post(fields: Fields, { ip = `192.0.2.${++addresses}`, to = edge } = {}): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return fetch(`${to.url}/api/${EDGE_PROJECT}/feedback-form/?sentry_key=${EDGE_KEY}`, {
    method: 'POST',
    headers: { 'x-forwarded-for': ip },
    body,
  });
}

const image = (bytes: number, type = 'image/png') =>
  new File([new Uint8Array(bytes)], 'screen.png', { type });

test('a form becomes the items that an SDK would send', async () => {
  const fields = {
    message: ' The button does nothing. ',
    name: 'Ana',
    email: 'ana@example.com',
    screenshot: image(9),
    event_id: 'f'.repeat(32),
  };
  const response = await post(fields);
  const { id } = (await response.json()) as { id: string };
  expect(response.status).toBe(200);
  expect(response.headers.has('set-cookie')).toBe(false);
  const [record] = edge.records;
  expect(record?.eventId).toBe(id);
  const [feedback, screenshot] = itemsOf(record);
  expect(feedback).toMatchObject({ type: 'feedback' });
  expect(JSON.parse(String(feedback?.payload))).toEqual({
    event_id: id,
    timestamp: expect.any(Number),
    platform: 'other',
    contexts: {
      feedback: {
        message: 'The button does nothing.',
        name: 'Ana',
        contact_email: 'ana@example.com',
        source: 'form',
      },
    },
  });
  expect(screenshot).toMatchObject({
    type: 'attachment',
    facts: { filename: 'screen.png', contentType: 'image/png' },
  });
});

test('only the message is needed, and a file field where nobody chose one is no file', async () => {
  const response = await post({ message: 'Hi', name: '', email: '', screenshot: new File([], '') });
  expect(response.status).toBe(200);
  const [feedback, ...rest] = itemsOf(edge.records[0]);
  expect(JSON.parse(String(feedback?.payload)).contexts.feedback).toEqual({ message: 'Hi', source: 'form' });
  expect(rest).toEqual([]);
});

test.each<[string, Fields, number, RegExp, string]>([
  ['without a message', { message: ' \n', name: 'Ana' }, 400, /enter some text/, 'missing_message'],
  ['with a long message', { message: 'x'.repeat(4_097) }, 413, /at most 4096/, 'too_large'],
  ['with a long name', { message: 'x', name: 'x'.repeat(257) }, 413, /name has 257/, 'too_large'],
  ['with a long address', { message: 'x', email: 'x'.repeat(257) }, 413, /email address/, 'too_large'],
  [
    'with a file that is no image',
    { message: 'x', screenshot: image(9, 'image/svg+xml') },
    415,
    /PNG/,
    'invalid_content_type',
  ],
  ['with a large file', { message: 'x', screenshot: image(5 * MIB + 1) }, 413, /5 MiB/, 'too_large'],
  ['with two files', { message: 'x', a: image(9), b: image(9) }, 413, /one screenshot/, 'too_many_items'],
])('a form %s is refused with what to do, and leaves nothing', async (_, fields, status, says, reason) => {
  await expectRefusal(await post(fields), status, says);
  expect(edge.records).toEqual([]);
  expect(edge.refused).toMatchObject([{ category: 'feedback', outcome: 'invalid', reason }]);
  await expect.poll(() => edge.blobFiles()).toEqual([]);
});

test('one address sends five, and another one is not held up', async () => {
  const ip = '198.51.100.7';
  for (let sent = 0; sent < 5; sent++) expect((await post({ message: 'x' }, { ip })).status).toBe(200);
  const refused = await post({ message: 'x' }, { ip });
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  await expectRefusal(refused, 429, /try again in/);
  expect(edge.refused).toMatchObject([{ outcome: 'rate_limited', reason: 'form_limit' }]);
  expect((await post({ message: 'x' })).status).toBe(200);
});

test('a project without a form takes none', async () => {
  const without = await openEdge({ trustedProxies: proxies });
  await expectRefusal(await post({ message: 'x' }, { to: without }), 403, /switched off/);
  expect(without.refused).toMatchObject([{ category: 'feedback', reason: 'form_disabled' }]);
  await without.close();
});

test('a project gets a bounded number of them from everybody', async () => {
  let last = 200;
  for (let sent = 0; sent < 120 && last === 200; sent++) {
    last = (await post({ message: 'x' }, { ip: `203.0.113.${sent}` })).status;
  }
  expect(last).toBe(429);
});
