import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { type GuardedGet, guardedGet } from './guarded-request.ts';
import { isInsideAddress } from './inside-address.ts';
import type { Network } from './network.ts';

const OPTIONS: GuardedGet = {
  allows: () => true,
  bytesMax: 1_000,
  timeMsMax: 5_000,
  redirectsMax: 2,
};

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Answers its port; whatever is asked of it counts as outside for the tests that need an answer. */
async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Names are looked up in the table, one list after the other; only 127.0.0.1 is outside. */
function networkOf(names: Record<string, readonly (readonly string[])[]>) {
  const asked: string[] = [];
  const network: Network = {
    lookup: async (name) => {
      asked.push(name);
      const times = asked.filter((each) => each === name).length;
      const lists = names[name];
      if (!lists) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
      return lists[Math.min(times, lists.length) - 1] ?? [];
    },
    isInside: (address) => address !== '127.0.0.1',
  };
  return { network, asked };
}

const reasonOf = async (url: string, options: Partial<GuardedGet> = {}, network?: Network) => {
  const answer = await guardedGet(url, { ...OPTIONS, ...options }, network);
  return answer.kind === 'refused' ? answer.reason : answer.kind;
};

describe('what leads inside', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://017700000001/',
    'http://0/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fd00:ec2::254]/',
    'http://localhost/',
    'https://localhost:8443/',
  ])('%s is refused', async (url) => {
    expect(await reasonOf(url)).toBe('address');
  });

  test('a name is refused when one of its addresses is inside', async () => {
    const network: Network = { lookup: async () => ['93.184.215.14', '10.0.0.7'], isInside: isInsideAddress };
    const answer = await guardedGet('http://half.test/', OPTIONS, network);
    expect(answer).toMatchObject({
      reason: 'address',
      detail: 'half.test resolves to a private network',
    });
  });

  test.each(['10.0.0.7', 'fd00:ec2::254', '::ffff:127.0.0.1'])(
    'nobody is told that a name leads to %s',
    async (inside) => {
      const network: Network = { lookup: async () => [inside], isInside: isInsideAddress };
      const answer = await guardedGet('http://db.corp.test/', OPTIONS, network);
      expect(JSON.stringify(answer)).not.toContain(inside);
      expect(JSON.stringify(answer)).toContain('db.corp.test');
    },
  );

  test('a name that changes its address after it was checked leads nowhere else', async () => {
    let hits = 0;
    const port = await serve((_request, response) => {
      hits++;
      response.end('ok');
    });
    const { network, asked } = networkOf({ 'rebind.test': [['127.0.0.1'], ['10.0.0.1']] });
    const answer = await guardedGet(`http://rebind.test:${port}/`, OPTIONS, network);
    expect(answer.kind).toBe('answered');
    expect([asked, hits]).toEqual([['rebind.test'], 1]);
    // The second time the name answers with the inner address.
    expect(await reasonOf(`http://rebind.test:${port}/`, {}, network)).toBe('address');
    expect(hits).toBe(1);
  });

  test('a redirect is checked like the first address', async () => {
    let inner = 0;
    const innerPort = await serve((_request, response) => {
      inner++;
      response.end('secret');
    });
    const port = await serve((request, response) => {
      const target = new URL(request.url ?? '/', 'http://x').searchParams.get('to') ?? '';
      response.writeHead(302, { location: target }).end();
    });
    const { network } = networkOf({ 'out.test': [['127.0.0.1']], 'in.test': [['10.0.0.1']] });
    const ask = (to: string) =>
      reasonOf(`http://out.test:${port}/?to=${encodeURIComponent(to)}`, {}, network);
    expect(await ask(`http://in.test:${innerPort}/`)).toBe('address');
    expect(await ask(`http://127.0.0.2:${innerPort}/`)).toBe('address');
    expect(await ask(`//in.test:${innerPort}/`)).toBe('address');
    expect(await ask('file:///etc/passwd')).toBe('not_allowed');
    expect(await ask('gopher://out.test/')).toBe('not_allowed');
    expect(await ask('http://user:word@out.test/')).toBe('not_allowed');
    expect(await ask('http://[')).toBe('not_allowed');
    expect(inner).toBe(0);
  });

  test('a redirect to a host that is not allowed is refused', async () => {
    const port = await serve((_request, response) => {
      response.writeHead(301, { location: `http://other.test:${port}/` }).end();
    });
    const { network, asked } = networkOf({ 'out.test': [['127.0.0.1']], 'other.test': [['127.0.0.1']] });
    const allows = (url: URL) => url.hostname === 'out.test';
    expect(await reasonOf(`http://out.test:${port}/`, { allows }, network)).toBe('not_allowed');
    expect(asked).toEqual(['out.test']);
  });
});

describe('bounds', () => {
  test('redirects end', async () => {
    let hits = 0;
    const port = await serve((_request, response) => {
      hits++;
      response.writeHead(307, { location: '/again' }).end();
    });
    const { network } = networkOf({ 'a.test': [['127.0.0.1']] });
    expect(await reasonOf(`http://a.test:${port}/`, {}, network)).toBe('redirects');
    expect(hits).toBe(3);
  });

  test('a body is cut off where it is too large: declared, streamed, and unpacked', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/declared') response.writeHead(200, { 'content-length': '1001' }).write('x');
      else if (request.url === '/gzip')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000)));
      else if (request.url === '/brotli')
        response
          .writeHead(200, { 'content-encoding': 'br' })
          .end(brotliCompressSync(Buffer.alloc(5_000_000)));
      else {
        const timer = setInterval(() => response.write('x'.repeat(300)), 1);
        response.once('close', () => clearInterval(timer));
      }
    });
    const { network } = networkOf({ 'a.test': [['127.0.0.1']] });
    for (const path of ['declared', 'endless', 'gzip', 'brotli']) {
      expect([path, await reasonOf(`http://a.test:${port}/${path}`, {}, network)]).toEqual([
        path,
        'too_large',
      ]);
    }
  });

  test('silence ends: before the head, in the body, and in the look-up', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/body') response.writeHead(200).write('x');
    });
    const { network } = networkOf({ 'a.test': [['127.0.0.1']] });
    const quick = { timeMsMax: 200 };
    expect(await reasonOf(`http://a.test:${port}/head`, quick, network)).toBe('timeout');
    expect(await reasonOf(`http://a.test:${port}/body`, quick, network)).toBe('timeout');
    const silent: Network = { lookup: () => new Promise(() => {}), isInside: () => false };
    expect(await reasonOf('http://a.test/', quick, silent)).toBe('timeout');
  });
});

describe('answers', () => {
  test('the body as it is unpacked, the headers, and where the last redirect led', async () => {
    const seen: (string | undefined)[] = [];
    const port = await serve((request, response) => {
      seen.push(request.headers.host, request.headers.cookie);
      if (request.url === '/from') response.writeHead(308, { location: 'to?x=1' }).end();
      else response.writeHead(200, { 'content-encoding': 'gzip', sourcemap: 'a.map' }).end(gzipSync('hello'));
    });
    const { network } = networkOf({ 'a.test': [['127.0.0.1']] });
    const answer = await guardedGet(`http://a.test:${port}/from`, OPTIONS, network);
    expect(answer).toMatchObject({ kind: 'answered', headers: { sourcemap: 'a.map' } });
    if (answer.kind !== 'answered') return;
    expect(answer.body.toString()).toBe('hello');
    expect(answer.url.href).toBe(`http://a.test:${port}/to?x=1`);
    expect(seen).toEqual([`a.test:${port}`, undefined, `a.test:${port}`, undefined]);
  });

  test('a server of https is asked by its name, though only its address was connected to', async () => {
    const named: string[] = [];
    const server = createTlsServer({
      SNICallback: (name, done) => {
        named.push(name);
        done(new Error('there is no certificate'));
      },
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { network } = networkOf({ 'a.test': [['127.0.0.1']] });
    expect(await reasonOf(`https://a.test:${port}/`, {}, network)).toBe('network');
    expect(named).toEqual(['a.test']);
    server.close();
  });

  test('anything but 200 is refused with its status', async () => {
    const port = await serve((_request, response) => response.writeHead(404).end('no'));
    const { network } = networkOf({ 'a.test': [['127.0.0.1']] });
    expect(await guardedGet(`http://a.test:${port}/`, OPTIONS, network)).toMatchObject({
      reason: 'status',
      detail: `a.test:${port} returned 404`,
    });
  });

  test('a name nobody knows, and a port nobody listens at', async () => {
    const { network } = networkOf({ 'a.test': [['127.0.0.1']] });
    expect(await reasonOf('http://nobody.test/', {}, network)).toBe('network');
    expect(await reasonOf('http://a.test:1/', {}, network)).toBe('network');
  });
});
