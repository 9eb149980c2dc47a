import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type GuardedPost, guardedPost } from './guarded-request.ts';
import { INTERNET, type Network, networkWith, parseAllowedInside } from './network.ts';

const OPTIONS: GuardedPost = {
  headers: { 'content-type': 'application/json' },
  body: '{"text":"häh"}',
  answerBytesMax: 100,
  timeMsMax: 2_000,
};
const LOOPBACK = networkWith(parseAllowedInside('127.0.0.1'));

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

test('the body and the headers arrive as they are, and the answer is told whatever it says', async () => {
  const seen: unknown[] = [];
  const url = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    seen.push(request.method, request.headers['content-type'], Buffer.concat(chunks).toString());
    response.writeHead(429, { 'retry-after': '7' }).end('slow down');
  });
  expect(await guardedPost(url, OPTIONS, LOOPBACK)).toMatchObject({
    kind: 'answered',
    status: 429,
    headers: { 'retry-after': '7' },
    body: 'slow down',
  });
  expect(seen).toEqual(['POST', 'application/json', '{"text":"häh"}']);
});

test('a redirect is told and not followed', async () => {
  let inner = 0;
  const target = await serve((_request, response) => {
    inner++;
    response.end();
  });
  const url = await serve((_request, response) => response.writeHead(307, { location: target }).end());
  expect(await guardedPost(url, OPTIONS, LOOPBACK)).toMatchObject({ kind: 'answered', status: 307 });
  expect(inner).toBe(0);
});

test('of an endless answer the beginning is read, and silence ends', async () => {
  const url = await serve((request, response) => {
    if (request.url !== '/hook') return;
    const timer = setInterval(() => response.write('x'.repeat(60)), 1);
    response.once('close', () => clearInterval(timer));
  });
  const answer = await guardedPost(url, OPTIONS, LOOPBACK);
  expect(answer).toMatchObject({ kind: 'answered', status: 200, body: 'x'.repeat(100) });
  const silent = await guardedPost(url.replace('/hook', '/silent'), { ...OPTIONS, timeMsMax: 150 }, LOOPBACK);
  expect(silent).toEqual({ kind: 'refused', reason: 'timeout', detail: 'there was no response in 0.15 s' });
});

describe('what leads inside', () => {
  test.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://[64:ff9b::a00:1]/',
    'http://[fe80::1]/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://10.1.2.3/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://localhost:9000/',
  ])('%s is refused', async (url) => {
    expect(await guardedPost(url, OPTIONS)).toMatchObject({ kind: 'refused', reason: 'address' });
  });

  test('a name that changes its address after it was checked leads nowhere else', async () => {
    let hits = 0;
    const { port } = new URL(
      await serve((_request, response) => {
        hits++;
        response.end('ok');
      }),
    );
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const network: Network = {
      lookup: async () => answers.shift() ?? [],
      isInside: (address) => address !== '127.0.0.1',
    };
    const ask = () => guardedPost(`http://rebind.test:${port}/`, OPTIONS, network);
    expect(await ask()).toMatchObject({ kind: 'answered', status: 200 });
    expect(await ask()).toMatchObject({ kind: 'refused', reason: 'address' });
    expect([answers, hits]).toEqual([[], 1]);
  });

  test('no other scheme, and no credentials in the address', async () => {
    for (const url of ['file:///etc/passwd', 'http://user:word@example.com/', 'http://[']) {
      expect(await guardedPost(url, OPTIONS)).toMatchObject({ kind: 'refused', reason: 'not_allowed' });
    }
  });

  test('an operator opens ranges of addresses and names, and nothing besides', () => {
    const isInside = (
      text: string,
      address: string,
      url = `http://${address.includes(':') ? 'x' : address}/`,
    ) => networkWith(parseAllowedInside(text)).isInside(address, new URL(url));
    expect(isInside('10.0.0.0/8', '10.9.8.7')).toBe(false);
    expect(isInside('10.0.0.0/8', '192.168.0.1')).toBe(true);
    expect(isInside('192.168.0.7', '192.168.0.7')).toBe(false);
    expect(isInside('192.168.0.7', '192.168.0.8')).toBe(true);
    expect(isInside('fd00::/8', 'fd12::1')).toBe(false);
    expect(isInside('fd00::/8', 'fe80::1')).toBe(true);
    expect(isInside('hooks.lan', '10.0.0.1', 'http://hooks.lan/')).toBe(false);
    expect(isInside('hooks.lan', '10.0.0.1', 'http://evil.lan/')).toBe(true);
    expect(isInside('hooks.lan:8080', '10.0.0.1', 'http://hooks.lan/')).toBe(true);
    expect(INTERNET.isInside('10.0.0.1', new URL('http://hooks.lan/'))).toBe(true);
  });

  test.each(['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/x', 'http://a.lan', 'a b', ''])(
    '%j opens nothing',
    (text) => {
      expect(() => parseAllowedInside(text)).toThrow(/is not (a host|an address range)/);
    },
  );
});
