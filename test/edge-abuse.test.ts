import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Dialed, dial } from './harness/dial.ts';
import { IS_FULL } from './harness/is-full.ts';
import { EDGE_KEY, EDGE_PROJECT, itemsOf, type OpenEdge, openEdge, send } from './harness/open-edge.ts';
import { until } from './harness/until.ts';

const MIB = 1024 * 1024;
const ROUTE = `/api/${EDGE_PROJECT}/envelope/`;
const HEAD = `POST ${ROUTE} HTTP/1.1\r\nhost: edge\r\nx-sentry-auth: Sentry sentry_key=${EDGE_KEY}\r\n`;

let edge: OpenEdge;
const sockets: Socket[] = [];
const SHORT = { headersTimeoutMs: 300, requestTimeoutMs: 700, timeoutCheckMs: 50 };
beforeEach(async ({ task }) => {
  // Unpacking takes longer than these.
  edge = await openEdge(task.suite?.name === 'a bomb' ? {} : { limits: SHORT });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await edge.close();
});

async function knock(): Promise<Dialed> {
  const dialed = await dial(edge.port);
  sockets.push(dialed.socket);
  return dialed;
}

const works = async () => {
  const response = await send(edge, ROUTE, '{}\n{"type":"event"}\n{"a":1}\n');
  expect(response.status).toBe(200);
};

describe('a bomb', () => {
  const start = Buffer.from('{}\n{"type":"event"}\n');
  const zeros = Buffer.concat([start, Buffer.alloc(300 * MIB)]);
  const attachment = Buffer.concat([
    Buffer.from('{}\n{"type":"from_the_future"}\n'),
    Buffer.alloc(300 * MIB, 1),
  ]);
  const packings: [string, (bytes: Buffer) => Buffer][] = [
    ['gzip', (bytes) => gzipSync(bytes, { level: 1 })],
    ['deflate', (bytes) => deflateSync(bytes, { level: 1 })],
    [
      'br',
      (bytes) =>
        brotliCompressSync(bytes, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: 24 },
        }),
    ],
    ['zstd', (bytes) => zstdCompressSync(bytes)],
  ];

  test.each(IS_FULL ? packings : packings.filter(([name]) => name === 'gzip' || name === 'zstd'))(
    'of %s is 413: an event at 1 MiB, what is passed over at 100 times its size',
    async (name, pack) => {
      for (const [body, limit] of [
        [pack(zeros), '1048576'],
        [pack(attachment), '100 times its size'],
      ] as const) {
        expect(body.length).toBeLessThan(4 * MIB);
        const response = await send(edge, ROUTE, body, { headers: { 'content-encoding': name } });
        expect([response.status, await response.json()]).toEqual([
          413,
          { detail: expect.stringContaining(limit) },
        ]);
      }
      expect(edge.memory.heldBytes).toBe(0);
      expect(edge.blobFiles()).toEqual([]);
    },
  );

  test('of zstd that wants a window of 128 MiB is refused before it gets one', async () => {
    const body = zstdCompressSync(Buffer.alloc(130 * MIB), {
      params: { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_contentSizeFlag]: 0 },
    });
    const response = await send(edge, ROUTE, body, { headers: { 'content-encoding': 'zstd' } });
    expect([response.status, await response.json()]).toEqual([
      400,
      { detail: expect.stringContaining('zstd') },
    ]);
  });

  test('many at once hold no more memory than is allowed; who comes too late is told to come back', async () => {
    const tight = await openEdge({ memoryBytesMax: 40 * MIB });
    const body = brotliCompressSync(attachment, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send(tight, ROUTE, body, { headers: { 'content-encoding': 'br' } })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.every((status) => status === 413 || status === 503)).toBe(true);
    expect(statuses).toContain(503);
    expect(tight.memory.heldBytes).toBe(0);
    await tight.close();
  });
});

describe('memory', () => {
  test('counts what is held, not what is announced', async () => {
    const announced = await Promise.all(Array.from({ length: 20 }, knock));
    for (const { socket } of announced) socket.write(`${HEAD}content-length: ${100 * MIB}\r\n\r\n{}\n`);
    await sleep(100);
    expect(edge.memory.heldBytes).toBeLessThan(MIB);
    await works();
  });

  test('of all bodies together is bounded by 503', async () => {
    const tight = await openEdge({ memoryBytesMax: 400_000 });
    const holder = connect(tight.port, '127.0.0.1');
    sockets.push(holder);
    holder.on('error', () => {});
    holder.write(`${HEAD}content-length: 500000\r\n\r\n{}\n{"type":"event"}\n${'x'.repeat(150_000)}`);
    await until('the held bytes', () => tight.memory.heldBytes >= 150_000);
    const response = await send(tight, ROUTE, `{}\n{"type":"event"}\n${'x'.repeat(100_000)}`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
    holder.destroy();
    await until('their release', () => tight.memory.heldBytes === 0);
    await tight.close();
  });
});

describe('a slow sender', () => {
  test('of headers is cut off', async () => {
    const slow = await knock();
    slow.socket.write(`POST ${ROUTE} HTTP/1.1\r\nhost: edge\r\n`);
    const drip = setInterval(() => slow.socket.write('x-drip: 1\r\n'), 50);
    await until('the end of the connection', slow.isClosed, { timeoutMs: 5000 });
    clearInterval(drip);
    expect(slow.text()).toMatch(/^HTTP\/1\.1 408/);
  });

  test('of a body is cut off, however steadily it trickles, and nothing of it stays', async () => {
    const slow = await knock();
    slow.socket.write(
      `${HEAD}content-length: 100000000\r\n\r\n{}\n{"type":"attachment"}\n${'x'.repeat(2 * MIB)}`,
    );
    const drip = setInterval(() => slow.socket.write('x'), 50);
    await until('the body on the disk', () => edge.blobFiles().length === 1);
    await until('the end of the connection', slow.isClosed, { timeoutMs: 5000 });
    clearInterval(drip);
    await until('its removal', () => edge.blobFiles().length === 0);
    expect([edge.records, edge.memory.heldBytes]).toEqual([[], 0]);
    await works();
  });
});

describe('a sender that goes beyond', () => {
  test('the request line or the headers is refused', async () => {
    for (const head of [
      `POST ${ROUTE}?x=${'x'.repeat(40_000)} HTTP/1.1\r\nhost: edge\r\n\r\n`,
      `${HEAD}x-long: ${'x'.repeat(40_000)}\r\n\r\n`,
    ]) {
      const one = await knock();
      one.socket.write(head);
      await until('the refusal', () => one.text().startsWith('HTTP/1.1 431'));
    }
    await works();
  });

  test('HTTP itself is refused', async () => {
    const one = await knock();
    one.socket.write('hello there\r\n\r\n');
    await until('the refusal', () => one.text().startsWith('HTTP/1.1 400'));
    const smuggled = await knock();
    smuggled.socket.write(`${HEAD}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`);
    await until('the refusal', () => smuggled.text().startsWith('HTTP/1.1 400'));
    await works();
  });

  test('a chunked body is read as any other', async () => {
    const one = await knock();
    one.socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
    for (const line of ['{}\n', '{"type":"event"}\n', '{"a":1}\n']) {
      one.socket.write(`${line.length.toString(16)}\r\n${line}\r\n`);
      await sleep(10);
    }
    one.socket.write('0\r\n\r\n');
    await until('the answer', () => one.text().startsWith('HTTP/1.1 200'));
    expect(itemsOf(edge.records[0])).toEqual([{ type: 'event', payload: '{"a":1}' }]);
  });
});

describe('names that mean something to the language', () => {
  test('in headers of envelopes and items change nothing', async () => {
    const id = '9ec79c33ec9942ab8353589fcb2e04dc';
    const body = [
      `{"__proto__":{"event_id":"x","dsn":"x"},"constructor":{"prototype":{"polluted":1}},"event_id":"${id}"}`,
      '{"__proto__":{"type":"x","length":3},"type":"event"}',
      '{"__proto__":{"a":1}}',
    ].join('\n');
    const response = await send(edge, ROUTE, body);
    expect([response.status, await response.json()]).toEqual([200, { id }]);
    expect(itemsOf(edge.records[0])).toEqual([{ type: 'event', payload: '{"__proto__":{"a":1}}' }]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect((await send(edge, ROUTE, '{}\n{"__proto__":{"type":"event"}}\n{}')).status).toBe(400);
  });

  test('a key that is named twice counts as it was named last', async () => {
    const body = '{}\n{"type":"from_the_future","type":"event","length":2,"length":7}\n{"a":1}';
    expect((await send(edge, ROUTE, body)).status).toBe(200);
    expect(itemsOf(edge.records[0])).toEqual([{ type: 'event', payload: '{"a":1}' }]);
  });
});
