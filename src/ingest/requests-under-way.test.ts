import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { RequestsUnderWay } from './requests-under-way.ts';

const TOO_LONG_MS = 10 * 60_000;

test('waits for answers that end, not for those that never do, and lets no client keep its connection', async () => {
  const underWay = new RequestsUnderWay();
  let slow: ServerResponse | null = null;
  const server = createServer((request, response) => {
    underWay.begin(response);
    if (request.url === '/live') response.setHeader('content-type', 'text/event-stream').write(':\n');
    else slow = response;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = (path: string) => get({ host: '127.0.0.1', port, path, agent: false });
  const [live] = (await once(ask('/live'), 'response')) as [IncomingMessage];
  const asked = ask('/slow');
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
  await expect.poll(() => slow !== null).toBe(true);

  underWay.drain();
  let hasEnded = false;
  // Longer than the test has: it would fail if the live page were waited for.
  const ended = underWay.ended(TOO_LONG_MS).then(() => {
    hasEnded = true;
  });
  await underWay.ended(60);
  expect(hasEnded).toBe(false);
  (slow as ServerResponse | null)?.end('done');
  const [response] = await answered;
  expect(response.headers.connection).toBe('close');
  await ended;
  live.destroy();
  server.closeAllConnections();
  server.close();
});
