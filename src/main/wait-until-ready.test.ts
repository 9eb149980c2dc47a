import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { waitUntilReady } from './wait-until-ready.ts';

const TOKEN = 'a token';
const MISSING = '{"checks":{"digest":{"ok":false}}}';
let server: Server;
let url: string;
let asked = 0;
let readyAt = Number.POSITIVE_INFINITY;
beforeAll(async () => {
  server = createServer((message, response) => {
    asked += 1;
    const isKnown = message.headers.authorization === `Bearer ${TOKEN}`;
    response.statusCode = asked >= readyAt ? 200 : 503;
    response.end(isKnown ? MISSING : '{"status":"ready"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = 0;
  readyAt = Number.POSITIVE_INFINITY;
});
afterAll(() => server.close());

const wait = (timeoutMs: number, isStopping = () => false) =>
  waitUntilReady(url, TOKEN, { timeoutMs, isStopping });

test('asks until it is ready', async () => {
  readyAt = 3;
  expect(await wait(60_000)).toBeNull();
  expect(asked).toBe(3);
});

test('says what is missing at the end of its time, and rejects with nothing', async () => {
  expect(await wait(250)).toBe(MISSING);
  server.closeAllConnections();
  expect(
    await waitUntilReady('http://127.0.0.1:1', TOKEN, { timeoutMs: 0, isStopping: () => false }),
  ).toMatch(/ECONNREFUSED/);
});

test('ends when the server is stopped', async () => {
  expect(await wait(60_000, () => asked >= 2)).toBeNull();
  expect(asked).toBe(2);
});

test('is not taken in by another server on its port, which does not know the token', async () => {
  readyAt = 1;
  expect(await waitUntilReady(url, 'another token', { timeoutMs: 250, isStopping: () => false })).toBe(
    `${url} is answered by something else`,
  );
});
