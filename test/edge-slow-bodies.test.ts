import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { REQUEST_BOUNDS } from '#ingest/request-bounds.ts';
import { LANE_LIMITS } from '#ingest/web-lanes.ts';
import { type Dialed, dial, NEIGHBOR } from './harness/dial.ts';
import type { OpenEdge } from './harness/open-edge.ts';
import { until } from './harness/until.ts';

const KIB = 1024;
const SWEEP_MS = REQUEST_BOUNDS.timeoutCheckMs;

/** Stands for the pages: answers how long the body was. */
let web: Server;
let edge: OpenEdge;
/** Requests that have reached it, and those of them that broke off. */
let reached = 0;
let broken = 0;
/** Ends the answer to the last request to `/later`. */
let answerLater: (() => void) | null = null;

beforeAll(async () => {
  // Nobody looks for slow bodies but when a test lets time pass.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  // Without the timer of an edge that another file opened.
  vi.resetModules();
  const { openEdge } = await import('./harness/open-edge.ts');
  web = createServer((message, response) => {
    reached += 1;
    let bytes = 0;
    message.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    message.on('end', () => {
      if (message.url === '/later') answerLater = () => response.end('later');
      else if (message.url === '/large') response.end(Buffer.alloc(64 * 1024 * KIB));
      else response.end(String(bytes));
    });
    message.on('error', () => {
      broken += 1;
    });
    response.on('error', () => {});
  });
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  edge = await openEdge({ webPort: (web.address() as AddressInfo).port });
});
beforeEach(() => {
  reached = 0;
  broken = 0;
});
afterAll(async () => {
  vi.useRealTimers();
  await edge.close();
  web.closeAllConnections();
  web.close();
});

const pass = (ms: number) => vi.advanceTimersByTime(ms);

async function post(bytes: number): Promise<Dialed> {
  const dialed = await dial(edge.port);
  dialed.socket.write(`POST /x HTTP/1.1\r\nhost: edge\r\ncontent-length: ${bytes}\r\n\r\n`);
  return dialed;
}

/** Sends so much, and waits until it has been read. */
async function sendAndSettle({ socket }: Dialed, bytes: number): Promise<void> {
  if (bytes > 0) await new Promise((resolve) => socket.write(Buffer.alloc(bytes), resolve));
  await new Promise((resolve) => setTimeout(resolve, 30));
}

test('a body that falls silent is answered 408, and its connection closed', async () => {
  const slow = await post(1_000);
  await sendAndSettle(slow, 10);
  pass(REQUEST_BOUNDS.bodyIdleMs);
  expect(slow.text()).toBe('');
  pass(2 * SWEEP_MS);
  await until('the end', slow.isClosed);
  expect(slow.text()).toMatch(/^HTTP\/1\.1 408 .*No data was received for 30 s/s);
  expect(slow.text()).toMatch(/connection: close/i);
  expect(reached).toBe(0);
});

test('a small body that trickles is answered 408 as well', async () => {
  const slow = await post(1_000);
  for (let second = 0; second < 40 && !slow.isClosed(); second += 5) {
    await sendAndSettle(slow, 5);
    pass(SWEEP_MS);
  }
  await until('the end', slow.isClosed);
  expect(slow.text()).toMatch(/^HTTP\/1\.1 408 .*slower than 1024 bytes per second/s);
  expect(reached).toBe(0);
});

test('an upload that falls behind is answered 408, and the pages let go of it', async () => {
  const slow = await post(200 * KIB);
  await sendAndSettle(slow, 100 * KIB);
  await until('its start', () => reached === 1);
  for (let second = 0; second < 400 && !slow.isClosed(); second += 20) {
    await sendAndSettle(slow, 1);
    pass(20_000);
  }
  await until('the end', slow.isClosed);
  expect(slow.text()).toMatch(/^HTTP\/1\.1 408 .*slower than/s);
  await until('the break behind', () => broken === 1);
});

test('an upload over a slow link that moves is taken, however long it lasts', async () => {
  const BLOCK = 128 * KIB;
  const BLOCKS = 40;
  const slow = await post(BLOCKS * BLOCK);
  for (let block = 0; block < BLOCKS; block++) {
    await sendAndSettle(slow, BLOCK);
    // 5 KiB a second: longer together than a whole request could last before.
    pass(25_000);
  }
  await until('the answer', () => slow.text().includes(String(BLOCKS * BLOCK)));
  expect(slow.text()).toMatch(/^HTTP\/1\.1 200/);
  slow.socket.destroy();
});

test.skipIf(process.platform !== 'linux')(
  'slow uploads of several addresses that fill the lane make room for somebody else',
  async () => {
    const { totalMax, ofAddressMax } = LANE_LIMITS.uploads;
    const head = (bytes: number) => `POST /x HTTP/1.1\r\nhost: edge\r\ncontent-length: ${bytes}\r\n\r\n`;
    const slow: Dialed[] = [];
    for (let index = 0; index < totalMax; index++) {
      const one = await dial(edge.port, `127.0.0.${100 + Math.floor(index / ofAddressMax)}`);
      one.socket.write(head(200 * KIB));
      one.socket.write(Buffer.alloc(70 * KIB));
      slow.push(one);
    }
    await until('their start', () => reached === totalMax);
    pass(SWEEP_MS);
    const other = await dial(edge.port, NEIGHBOR);
    other.socket.write(head(100 * KIB));
    other.socket.write(Buffer.alloc(100 * KIB));
    await new Promise((resolve) => setTimeout(resolve, 100));
    // They may have paused for a moment.
    expect([other.text(), slow.filter(({ text }) => text() !== '').length]).toEqual(['', 0]);
    pass(2 * SWEEP_MS);
    await until('the answer', () => other.text().includes(String(100 * KIB)), { timeoutMs: 5_000 });
    expect(other.text()).toMatch(/^HTTP\/1\.1 200/);
    const lost = slow.filter(({ text }) => text() !== '');
    expect(lost).toHaveLength(1);
    expect(lost[0]?.text()).toMatch(/^HTTP\/1\.1 503 .*retry-after: 5.*This upload is slow/is);
    for (const { socket } of [...slow, other]) socket.destroy();
    await until('the ends behind', () => broken === totalMax);
  },
);

test('an upload that has arrived is not slow, however long its answer takes', async () => {
  const whole = await dial(edge.port);
  whole.socket.write(`POST /later HTTP/1.1\r\nhost: edge\r\ncontent-length: ${100 * KIB}\r\n\r\n`);
  whole.socket.write(Buffer.alloc(100 * KIB));
  const answer = await until('its arrival', () => answerLater);
  pass(4 * REQUEST_BOUNDS.bodyIdleMs);
  answer();
  await until('the answer', () => whole.text().includes('later'));
  expect(whole.text()).toMatch(/^HTTP\/1\.1 200/);
  whole.socket.destroy();
});

test('an answer that the client does not take is given up', async () => {
  const stalled = await dial(edge.port);
  stalled.socket.pause();
  stalled.socket.write('GET /large HTTP/1.1\r\nhost: edge\r\n\r\n');
  await until('its start', () => reached === 1);
  await new Promise((resolve) => setTimeout(resolve, 300));
  pass(REQUEST_BOUNDS.answerStallMs + 2 * SWEEP_MS);
  stalled.socket.resume();
  await until('the end', stalled.isClosed);
  expect(stalled.text().length).toBeLessThan(64 * 1024 * KIB);
});
