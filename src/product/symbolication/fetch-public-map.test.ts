import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { GuardedAnswer, GuardedGet } from '#lib/guarded-request/guarded-request.ts';
import { parseHostList } from '#lib/guarded-request/network.ts';
import { openPublicMaps, type PublicMap } from './fetch-public-map.ts';

const HOSTS = parseHostList('cdn.test, *.assets.test');
const MAP = '{"version":3,"sources":[],"mappings":""}';

type Page = { body?: string; headers?: Record<string, string>; leadsTo?: string };

/** Pages by address; `asked` holds what was asked for, and only what is allowed answers. */
function open(pages: Record<string, Page>) {
  const asked: string[] = [];
  const get = async (url: string, options: GuardedGet): Promise<GuardedAnswer> => {
    asked.push(url);
    if (!options.allows(new URL(url)))
      return {
        kind: 'refused',
        reason: 'not_allowed',
        detail: `${new URL(url).host} is not on the list of allowed hosts`,
      };
    const page = pages[url];
    if (!page) return { kind: 'refused', reason: 'status', detail: 'cdn.test answered 404' };
    const { body = '', headers = {}, leadsTo = url } = page;
    return { kind: 'answered', url: new URL(leadsTo), headers, body: Buffer.from(body) };
  };
  const fetchPublicMap = openPublicMaps(HOSTS, get);
  if (!fetchPublicMap) throw new Error('there are hosts');
  return { fetchMap: (address: string) => fetchPublicMap(address, asItIs), asked };
}

const asItIs = async (map: PublicMap) => map;

const SCRIPT = 'throw 1;\n//# sourceMappingURL=app.js.map\n';

test('nothing is fetched when no host is allowed', () => {
  expect(openPublicMaps([])).toBeNull();
});

test('the last comment of the script leads to the map, beside where the script really is', async () => {
  const { fetchMap, asked } = open({
    'https://cdn.test/app.js?v=1': { body: SCRIPT, leadsTo: 'https://x.assets.test/js/app.js' },
    'https://x.assets.test/js/app.js.map': { body: MAP },
  });
  const found = await fetchMap('https://cdn.test/app.js?v=1#frame');
  expect(found).toMatchObject({
    kind: 'fetched',
    file: 'https://x.assets.test/js/app.js',
    baseUrl: 'https://x.assets.test/js/app.js.map',
  });
  expect(found?.kind === 'fetched' && Buffer.from(found.map).toString()).toBe(MAP);
  expect(asked).toEqual(['https://cdn.test/app.js?v=1', 'https://x.assets.test/js/app.js.map']);
});

test('a header counts before the comment', async () => {
  for (const header of ['sourcemap', 'x-sourcemap']) {
    const { fetchMap } = open({
      'https://cdn.test/app.js': { body: SCRIPT, headers: { [header]: '/maps/1.map' } },
      'https://cdn.test/maps/1.map': { body: MAP },
    });
    expect(await fetchMap('https://cdn.test/app.js')).toMatchObject({
      baseUrl: 'https://cdn.test/maps/1.map',
    });
  }
});

test('a map within the script needs no second request', async () => {
  const inline = `data:application/json;base64,${Buffer.from(MAP).toString('base64')}`;
  const { fetchMap, asked } = open({
    'https://cdn.test/app.js': { body: `throw 1;\n//# sourceMappingURL=${inline}` },
  });
  const found = await fetchMap('https://cdn.test/app.js');
  expect(found?.kind === 'fetched' && Buffer.from(found.map).toString()).toBe(MAP);
  expect(asked.length).toBe(1);
});

test('nobody else is asked: neither for a script nor for what a script names', async () => {
  const { fetchMap, asked } = open({
    'https://cdn.test/app.js': { body: '//# sourceMappingURL=http://169.254.169.254/latest/meta-data/' },
  });
  for (const address of ['https://evil.test/app.js', 'app:///app.js', 'file:///etc/passwd', '~/app.js', ''])
    expect(await fetchMap(address)).toBeNull();
  expect(asked).toEqual([]);
  expect(await fetchMap('https://cdn.test/app.js')).toEqual({
    kind: 'absent',
    reason: 'fetch_refused',
    url: 'http://169.254.169.254/latest/meta-data/',
    detail: '169.254.169.254 is not on the list of allowed hosts',
  });
});

test('says what is missing', async () => {
  const { fetchMap } = open({
    'https://cdn.test/bare.js': { body: 'throw 1;' },
    'https://cdn.test/app.js': { body: SCRIPT },
    'https://cdn.test/odd.js': { body: '//# sourceMappingURL=http://[/' },
  });
  expect(await fetchMap('https://cdn.test/gone.js')).toMatchObject({
    reason: 'fetch_refused',
    url: 'https://cdn.test/gone.js',
    detail: 'cdn.test answered 404',
  });
  expect(await fetchMap('https://cdn.test/bare.js')).toMatchObject({ reason: 'map_missing', mapUrl: null });
  expect(await fetchMap('https://cdn.test/app.js')).toMatchObject({
    reason: 'fetch_refused',
    url: 'https://cdn.test/app.js.map',
  });
  expect(await fetchMap('https://cdn.test/odd.js')).toMatchObject({
    reason: 'map_missing',
    mapUrl: 'http://[/',
  });
});

test('a host that is on the list and at home is not asked either', async () => {
  let hits = 0;
  const server = createServer((_request, response) => {
    hits++;
    response.end(SCRIPT);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const fetchMap = openPublicMaps(parseHostList(`localhost:${port}`));
  const answer = await fetchMap?.(`http://localhost:${port}/app.js`, asItIs);
  expect(answer).toMatchObject({
    reason: 'fetch_refused',
    url: `http://localhost:${port}/app.js`,
    detail: 'localhost resolves to a private network',
  });
  expect(hits).toBe(0);
  server.close();
});

describe('many scripts at once', () => {
  const INLINE = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(MAP).toString('base64')}`;
  const urlOf = (name: number) => `https://cdn.test/${name}.js`;

  test('are fetched two at a time, and none more while a map is being read', async () => {
    const asked: string[] = [];
    const fetchMap = openPublicMaps(HOSTS, async (url) => {
      asked.push(url);
      return { kind: 'answered', url: new URL(url), headers: {}, body: Buffer.from(INLINE) };
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    const kept = [1, 2, 3].map((name) => fetchMap?.(urlOf(name), () => promise));
    await nextTurn();
    expect(asked).toEqual([urlOf(1), urlOf(2)]);
    resolve();
    await Promise.all(kept);
    expect(asked.length).toBe(3);
  });

  test('do not wait in line for ever, nor in a line without end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const asked: string[] = [];
      const fetchMap = openPublicMaps(HOSTS, (url) => {
        asked.push(url);
        return new Promise(() => {});
      });
      if (!fetchMap) throw new Error('there are hosts');
      const late = (name: number) => ({ kind: 'absent', reason: 'not_loaded_in_time', url: urlOf(name) });
      const fetching = Array.from({ length: 23 }, (_, name) => fetchMap(urlOf(name), asItIs));
      expect(await fetching[22]).toEqual(late(22));
      await vi.advanceTimersByTimeAsync(30_000);
      expect(await Promise.all(fetching.slice(2, 22))).toEqual(
        Array.from({ length: 20 }, (_, index) => late(index + 2)),
      );
      expect(asked).toEqual([urlOf(0), urlOf(1)]);
      expect(await fetchMap('https://evil.test/app.js', asItIs)).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });
});
