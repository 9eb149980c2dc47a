import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Network } from '#lib/guarded-request/network.ts';
import { createUptimeProber } from './uptime-prober.ts';

const PROBE = {
  method: 'GET',
  headers: {},
  body: null,
  redirectsMax: 0,
  bodyBytesMax: 100,
  timeMsMax: 1_000,
} as const;

const NETWORK: Network = { lookup: async () => ['127.0.0.1'], isInside: () => false };

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Answers every connection as HTTP. */
async function serve(): Promise<{ port: number; close: () => Promise<unknown> }> {
  const server = createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { port, close: () => new Promise((resolve) => server.close(resolve)) };
}

test('a machine is offline when no other host that it knows can be connected to, and there are two', async () => {
  const clock = { now: 0 };
  const prober = createUptimeProber(NETWORK, () => clock.now);
  const [one, two] = [await serve(), await serve()];
  const probe = (name: string, port: number) => prober.probe(`http://${name}:${port}/`, PROBE);
  const down = 'http://down.test:1/';
  await probe('one.test', one.port);
  // One other host does not tell.
  await one.close();
  expect(await prober.isOffline(down)).toBe(false);

  await probe('two.test', two.port);
  await probe('down.test', 1);
  expect(await prober.isOffline(down)).toBe(false);

  await two.close();
  // An answer counts for seconds, then it is asked anew.
  expect(await prober.isOffline(down)).toBe(false);
  clock.now += 6_000;
  expect(await prober.isOffline(down)).toBe(true);
});

test('hosts that were never reached do not stand in for those that were', async () => {
  const prober = createUptimeProber(NETWORK);
  const up = await serve();
  await prober.probe(`http://up.test:${up.port}/`, PROBE);
  for (const name of ['a', 'b', 'c', 'd']) await prober.probe(`http://${name}.test:1/`, PROBE);
  expect(await prober.isOffline('http://a.test:1/')).toBe(false);
});
