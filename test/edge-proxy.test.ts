import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { REQUEST_BOUNDS } from '#ingest/request-bounds.ts';
import { RequestsUnderWay } from '#ingest/requests-under-way.ts';
import { type OpenEdge, openEdge } from './harness/open-edge.ts';

const MIB = 1024 * 1024;

let web: Server;
let edge: OpenEdge;
const underWay = new RequestsUnderWay();
/** Bytes of the body that have reached the server behind. */
let arrived = 0;
/** Requests that the server behind has seen. */
let seen: string[] = [];
/** Resolves when the server behind may read on. */
let mayRead: Promise<void> = Promise.resolve();

beforeAll(async () => {
  web = createServer(async (message, response) => {
    seen.push(`${message.method} ${message.url}`);
    if (message.url === '/live/') {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'set-cookie': ['a=1', 'b=2'] });
      response.write(':\n\n');
      return;
    }
    if (message.url === '/early/') {
      // Has looked at the body, and reads no more of it.
      message.once('readable', () => {
        message.read(1);
        response.end('enough');
      });
      return;
    }
    try {
      for await (const chunk of message) {
        arrived += (chunk as Buffer).length;
        await mayRead;
      }
      response.end(String(arrived));
    } catch {
      response.destroy();
    }
  });
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  edge = await openEdge({ webPort: (web.address() as AddressInfo).port, underWay });
});
beforeEach(() => {
  arrived = 0;
  seen = [];
  mayRead = Promise.resolve();
});
afterAll(async () => {
  await edge.close();
  web.closeAllConnections();
  web.close();
});

/** Sends blocks of a MiB until all are sent, the answer is there, or the connection takes no more for a second. */
async function stream(blocks: number, headers: Readonly<Record<string, string>> = {}, path = '/api/0/x/') {
  const request = httpRequest(`${edge.url}${path}`, { method: 'POST', headers });
  let status = 0;
  let text = '';
  let sent = 0;
  const answered = new Promise<void>((resolve) => {
    request.on('response', (response) => {
      status = response.statusCode ?? 0;
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', resolve);
      response.on('error', () => resolve());
    });
    request.on('error', () => resolve());
  });
  const block = Buffer.alloc(MIB);
  while (sent < blocks && status === 0 && !request.destroyed) {
    sent += 1;
    if (request.write(block)) continue;
    const stalled = new Promise<'stalled'>((resolve) => setTimeout(resolve, 1_000, 'stalled'));
    const drained = Promise.race([once(request, 'drain').catch(() => {}), answered]);
    if ((await Promise.race([drained, stalled])) === 'stalled') break;
  }
  return { request, answered, sent, answer: () => ({ status, text }) };
}

test('a large body is passed on as it comes', async () => {
  const { request, answered, answer } = await stream(100);
  request.end();
  await answered;
  expect(answer()).toEqual({ status: 200, text: String(100 * MIB) });
});

test.each(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST'])(
  'a chunked %s with a large body is one request for the server behind, whatever the body holds',
  async (method) => {
    const inner = 'GET /inner/ HTTP/1.1\r\nhost: localhost\r\n\r\n';
    const body = inner.repeat(Math.ceil((2 * REQUEST_BOUNDS.heldBodyBytesMax) / inner.length));
    const request = httpRequest(`${edge.url}/api/0/x/`, {
      method,
      headers: { 'transfer-encoding': 'chunked' },
    });
    request.end(body);
    const [response] = await once(request, 'response');
    response.resume();
    await once(response, 'end');
    // The connection behind is used again: what was left on it would be read before this.
    await (await fetch(`${edge.url}/api/0/y/`)).text();
    expect(seen).toEqual([`${method} /api/0/x/`, 'GET /api/0/y/']);
    expect(arrived).toBe(body.length);
  },
);

test('a body is held back while the server behind does not read', async () => {
  let readOn = () => {};
  mayRead = new Promise((resolve) => {
    readOn = resolve;
  });
  const { request, answered, sent, answer } = await stream(150);
  // What the connections on the way hold is not ours.
  expect(sent).toBeLessThan(75);
  expect(arrived).toBeLessThan(MIB);
  readOn();
  request.end();
  await answered;
  expect(answer()).toEqual({ status: 200, text: String(sent * MIB) });
});

test('a body that says it is too large is refused at once', async () => {
  const { request, answered, answer } = await stream(0, {
    'content-length': String(REQUEST_BOUNDS.proxiedBytesMax + 1),
  });
  request.flushHeaders();
  await answered;
  expect(answer()).toEqual({ status: 413, text: expect.stringContaining('larger than') });
  expect(arrived).toBe(0);
  request.destroy();
});

test('a body that becomes too large is refused, and the server behind let go', async () => {
  const blocks = REQUEST_BOUNDS.proxiedBytesMax / MIB + 50;
  const { request, answered, answer } = await stream(blocks);
  request.end();
  await answered;
  expect(answer()).toEqual({ status: 413, text: expect.stringContaining('larger than') });
  expect(arrived).toBeLessThanOrEqual(REQUEST_BOUNDS.proxiedBytesMax);
});

test('the rest of a body is read away when the server behind has answered', async () => {
  const { request, answered, sent, answer } = await stream(10, {}, '/early/');
  request.end();
  await answered;
  expect(answer()).toEqual({ status: 200, text: 'enough' });
  expect(sent).toBeGreaterThan(0);
  await once(request, 'close');
});

test('an edge that stops does not wait for a live page, whose headers arrive as they were sent', async () => {
  const live = await fetch(`${edge.url}/live/`);
  expect([live.headers.get('content-type'), live.headers.getSetCookie()]).toEqual([
    'text/event-stream',
    ['a=1', 'b=2'],
  ]);
  // Longer than the test has.
  await underWay.ended(10 * 60_000);
  await live.body?.cancel();
});
