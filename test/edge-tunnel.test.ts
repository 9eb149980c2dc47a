import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildEnvelope } from './harness/envelope.ts';
import { EDGE_KEY, EDGE_PROJECT, itemsOf, type OpenEdge, openEdge, send } from './harness/open-edge.ts';

const MIB = 1024 * 1024;

let edge: OpenEdge;
let region: Server;
let answerOfRegion: (response: ServerResponse) => void;
let asked: string[] = [];

beforeAll(async () => {
  region = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.cookie ?? 'no cookie'}`);
    request.resume().on('end', () => answerOfRegion(response));
  });
  region.listen(0, '127.0.0.1');
  await once(region, 'listening');
  const { port } = region.address() as AddressInfo;
  edge = await openEdge({ tunnelRegions: new Map([['eu', `http://127.0.0.1:${port}`]]) });
});
afterAll(async () => {
  await edge.close();
  region.closeAllConnections();
  await new Promise((resolve) => region.close(resolve));
});
beforeEach(() => {
  asked = [];
  edge.records.length = 0;
  answerOfRegion = (response) => void response.end('{}');
});

const envelope = (key = EDGE_KEY, payload: string | Uint8Array = '{"a":1}') =>
  buildEnvelope({ dsn: `${edge.url.replace('//', `//${key}@`)}/${EDGE_PROJECT}` }, [
    { type: 'event', payload },
  ]);
const tunnel = (query: string, body = envelope()) =>
  send(edge, `/monitoring${query}`, body, { headers: { cookie: 'session=secret' } });

test('the key of the envelope counts, whatever else the page sends along', async () => {
  expect((await tunnel(`?o=1&p=${EDGE_PROJECT}`)).status).toBe(200);
  expect(itemsOf(edge.records[0])).toEqual([{ type: 'event', payload: '{"a":1}' }]);
  expect((await tunnel(`?o=1&p=${EDGE_PROJECT}`, envelope('0'.repeat(32)))).status).toBe(403);
  expect((await tunnel(`?o=2&p=${EDGE_PROJECT}`)).status).toBe(400);
});

test('a region gets the envelope without the cookies of the page', async () => {
  expect((await tunnel(`?o=1&p=${EDGE_PROJECT}&r=eu`)).status).toBe(200);
  expect(asked).toEqual([`POST /api/${EDGE_PROJECT}/envelope/?sentry_key=${EDGE_KEY} no cookie`]);
  expect(edge.records).toEqual([]);
});

test('the limits of a region reach the page', async () => {
  answerOfRegion = (response) => {
    response.writeHead(429, { 'retry-after': '77', 'x-sentry-rate-limits': '77:error:key' });
    response.end();
  };
  const response = await tunnel(`?o=1&p=${EDGE_PROJECT}&r=eu`);
  expect([
    response.status,
    response.headers.get('retry-after'),
    response.headers.get('x-sentry-rate-limits'),
  ]).toEqual([429, '77', '77:error:key']);
});

test('a region that fails, or a body that is too large for it, is told of', async () => {
  answerOfRegion = (response) => response.destroy();
  expect((await tunnel(`?o=1&p=${EDGE_PROJECT}&r=eu`)).status).toBe(503);
  const large = await tunnel(`?o=1&p=${EDGE_PROJECT}&r=eu`, envelope(EDGE_KEY, Buffer.alloc(2 * MIB, 'x')));
  expect(large.status).toBe(413);
  expect(edge.memory.heldBytes).toBe(0);
});

test('the numbers must be there and must be those of the key', async () => {
  expect((await tunnel('')).status).toBe(400);
  expect((await tunnel('?o=1')).status).toBe(400);
  expect((await tunnel(`?p=${EDGE_PROJECT}`)).status).toBe(400);
  expect((await tunnel(`?o=main&p=${EDGE_PROJECT}`)).status).toBe(400);
  expect((await tunnel(`?o=1&p=${EDGE_PROJECT + 1}`)).status).toBe(400);
  expect(edge.records).toEqual([]);
});

test('a region that nobody configured is refused, and no address of an envelope is ever asked', async () => {
  const unknown = await tunnel(`?o=1&p=${EDGE_PROJECT}&r=us`);
  expect([unknown.status, await unknown.text()]).toEqual([400, expect.stringContaining('is not configured')]);
  // A DSN that names another host: the envelope is taken here, for the key alone counts.
  const { port } = region.address() as AddressInfo;
  const elsewhere = buildEnvelope({ dsn: `http://${EDGE_KEY}@127.0.0.1:${port}/${EDGE_PROJECT}` }, [
    { type: 'event', payload: '{"a":1}' },
  ]);
  expect((await tunnel(`?o=1&p=${EDGE_PROJECT}`, elsewhere)).status).toBe(200);
  expect([asked, edge.records.length]).toEqual([[], 1]);
});
