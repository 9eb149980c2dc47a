import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refuseLive } from '#app/live/follow-changes.ts';
import { isLiveBusy } from '#app/live/live-state.ts';
import { refusePage } from '#ingest/proxy-to-web.ts';

let answer: (response: ServerResponse) => void;
const server = createServer((message, response) => {
  if (message.url === '/api/edge') refusePage(message, response, 503, 'The web interface is starting', 2);
  else answer(response);
});
let origin: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const probe = (path = '/api/live/main') => isLiveBusy(`${origin}${path}`, new AbortController().signal);

test.each(['user', 'server'] as const)('the refusal for want of room of the %s is told', async (busy) => {
  const refusal = refuseLive({ busy });
  const body = await refusal.text();
  answer = (response) => response.writeHead(refusal.status).end(body);
  expect(await probe()).toBe(true);
});

test('the edge that has no pages to pass on to is not busy', async () => {
  expect(await probe('/api/edge')).toBe(false);
});

test.each([
  [502, '<html>Bad gateway</html>'],
  [503, '<html>Service unavailable</html>'],
  [429, '{"detail":"Slow down"}'],
  [429, 'null'],
  [401, '{"detail":"Sign in first"}'],
  [401, '{"code":"too_many_live_connections"}'],
])('an answer %i with %s is not busy', async (status, body) => {
  answer = (response) => response.writeHead(status).end(body);
  expect(await probe()).toBe(false);
});

test('a stream is not busy, and the probe leaves it', async () => {
  let closed: Promise<unknown> | undefined;
  answer = (response) => {
    closed = once(response, 'close');
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': connected\n\n');
  };
  expect(await probe()).toBe(false);
  await closed;
});

test('a server that does not answer is not busy', async () => {
  answer = (response) => response.destroy();
  expect(await probe()).toBe(false);
});
