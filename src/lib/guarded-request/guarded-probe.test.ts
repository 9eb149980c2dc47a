import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { type GuardedProbe, guardedProbe } from './guarded-probe.ts';
import type { Network } from './network.ts';

const PROBE: GuardedProbe = {
  method: 'GET',
  headers: { authorization: 'Bearer secret' },
  body: null,
  redirectsMax: 3,
  bodyBytesMax: 100,
  timeMsMax: 2_000,
};

/** Every name leads to this machine, which counts as outside; 10.0.0.1 does not, and nobody knows `absent.test`. */
const NETWORK: Network = {
  lookup: async (name) => {
    if (name === 'absent.test') throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return [name === 'inside.test' ? '10.0.0.1' : '127.0.0.1'];
  },
  isInside: (address) => address === '10.0.0.1',
};

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const probe = (url: string, options: Partial<GuardedProbe> = {}) =>
  guardedProbe(url, { ...PROBE, ...options }, NETWORK);

test('an answer has its status, the beginning of its body, and where the time went', async () => {
  const port = await serve((_request, response) => response.writeHead(503).end('x'.repeat(500)));
  const answer = await probe(`http://a.test:${port}/`);
  expect(answer).toMatchObject({ kind: 'answered', status: 503, body: 'x'.repeat(100), isCut: true });
  const { dnsMs, connectMs, firstByteMs, tlsMs, totalMs } = answer.timings;
  expect(Math.min(dnsMs!, connectMs!, firstByteMs!)).toBeGreaterThanOrEqual(0);
  expect(totalMs).toBeGreaterThanOrEqual(connectMs!);
  expect(tlsMs).toBeNull();
});

test('redirects are followed as browsers do, and secrets stay with the origin that they were for', async () => {
  const seen: unknown[] = [];
  const other = await serve(async (request, response) => {
    seen.push([request.method, request.url, request.headers.authorization]);
    response.end('there');
  });
  const port = await serve((request, response) => {
    seen.push([request.method, request.url, request.headers.authorization]);
    if (request.url === '/') response.writeHead(307, { location: '/again' }).end();
    else response.writeHead(302, { location: `http://b.test:${other}/end` }).end();
  });
  const answer = await probe(`http://a.test:${port}/`, { method: 'POST', body: 'text' });
  expect(answer).toMatchObject({ kind: 'answered', status: 200, body: 'there' });
  expect(seen).toEqual([
    ['POST', '/', 'Bearer secret'],
    ['POST', '/again', 'Bearer secret'],
    ['GET', '/end', undefined],
  ]);
  expect(await probe(`http://a.test:${port}/`, { redirectsMax: 0 })).toMatchObject({ status: 307 });
});

test('what leads inside is not asked, neither at once nor by a redirect', async () => {
  const port = await serve((_request, response) =>
    response.writeHead(302, { location: 'http://inside.test/' }).end(),
  );
  expect(await probe('http://inside.test/')).toMatchObject({ kind: 'failed', reason: 'not_allowed' });
  expect(await probe(`http://a.test:${port}/`)).toMatchObject({
    kind: 'failed',
    reason: 'redirect_error',
    detail: expect.stringContaining('inside.test resolves to a private network'),
  });
});

test('each way to fail has its reason', async () => {
  const reason = async (url: string, options: Partial<GuardedProbe> = {}) => {
    const answer = await probe(url, options);
    return answer.kind === 'failed' ? answer.reason : answer.status;
  };
  expect(await reason('http://absent.test/')).toBe('dns_error');
  expect(await reason('http://a.test:1/')).toBe('connection_error');
  const silent = await serve(() => {});
  expect(await reason(`http://a.test:${silent}/`, { timeMsMax: 100 })).toBe('timeout');
  const loop = await serve((_request, response) => response.writeHead(301, { location: '/' }).end());
  expect(await reason(`http://a.test:${loop}/`)).toBe('redirect_error');
  const untrusted = createTlsServer({ SNICallback: (_name, done) => done(new Error('none')) });
  untrusted.on('tlsClientError', () => {}).listen(0, '127.0.0.1');
  await once(untrusted, 'listening');
  expect(await reason(`https://a.test:${(untrusted.address() as AddressInfo).port}/`)).toBe('tls_error');
  untrusted.close();
  const broken = await serve((request, response) => {
    if (request.url === '/packed') response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip');
    else response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy());
  });
  expect(await reason(`http://a.test:${broken}/`)).toBe('connection_error');
  expect(await reason(`http://a.test:${broken}/packed`)).toBe('connection_error');
  expect(await reason('nothing')).toBe('not_allowed');
});
