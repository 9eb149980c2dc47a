import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Quota } from '#protocol/rate-limits.ts';
import {
  EDGE_KEY,
  EDGE_PROJECT,
  expectRefusal,
  itemsOf,
  type OpenEdge,
  openEdge,
  send,
} from './harness/open-edge.ts';

const ID = '9ec79c33ec9942ab8353589fcb2e04dc';
const MIB = 1024 * 1024;
const at = (rest: string) => `/api/${EDGE_PROJECT}/${rest}`;
const json = { 'content-type': 'application/json' };

let edge: OpenEdge;
beforeAll(async () => {
  edge = await openEdge();
});
afterAll(() => edge.close());

describe('every route', () => {
  const routes: [route: string, methods: string][] = [
    ['/api/store/', 'GET, POST, OPTIONS'],
    [at('store/'), 'GET, POST, OPTIONS'],
    [at('store'), 'GET, POST, OPTIONS'],
    [at('envelope/'), 'POST, OPTIONS'],
    [at('envelope'), 'POST, OPTIONS'],
    [at('security/'), 'POST, OPTIONS'],
    [at('csp-report/'), 'POST, OPTIONS'],
    [at('nel/'), 'POST, OPTIONS'],
    [at('minidump/'), 'POST, OPTIONS'],
    [at('minidump'), 'POST, OPTIONS'],
    [at(`events/${ID}/attachments/`), 'POST, OPTIONS'],
    [at(`unreal/${EDGE_KEY}/`), 'POST, OPTIONS'],
    [at('cron/nightly'), 'GET, POST, OPTIONS'],
    [at('cron/nightly/'), 'GET, POST, OPTIONS'],
    [at(`cron/nightly/${EDGE_KEY}`), 'GET, POST, OPTIONS'],
    [at(`cron/nightly/${EDGE_KEY}/`), 'GET, POST, OPTIONS'],
    [at('otlp/v1/traces'), 'POST, OPTIONS'],
    [at('otlp/v1/traces/'), 'POST, OPTIONS'],
    [at('integration/otlp/v1/traces'), 'POST, OPTIONS'],
    [at('integration/otlp/v1/traces/'), 'POST, OPTIONS'],
    [at('integration/otlp/v1/logs'), 'POST, OPTIONS'],
    [at('integration/otlp/v1/logs/'), 'POST, OPTIONS'],
    [`/api//${EDGE_PROJECT}/envelope//`, 'POST, OPTIONS'],
    ['/monitoring', 'POST, OPTIONS'],
  ];

  test.each(routes)(
    '%s answers browsers that ask, and names its methods to others',
    async (route, methods) => {
      const preflight = await send(edge, route, null, { method: 'OPTIONS', auth: false });
      expect(preflight.status).toBe(200);
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
      expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
      const allowed = preflight.headers.get('access-control-allow-headers')?.split(', ');
      expect(allowed).toEqual(
        expect.arrayContaining(['x-sentry-auth', 'content-encoding', 'content-type', 'authorization']),
      );
      const wrong = await send(edge, route, null, { method: 'PUT' });
      expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, methods]);
      expect(await wrong.json()).toEqual({ detail: expect.stringContaining('POST') });
    },
  );

  test.each(
    routes.filter(
      ([route]) => route !== '/monitoring' && !route.includes(EDGE_KEY) && !route.includes('envelope'),
    ),
  )('%s wants a key', async (route) => {
    await expectRefusal(
      await send(edge, route, '{}', { auth: false, headers: json }),
      401,
      /No key was sent/,
    );
    const stranger = { ...json, 'x-sentry-auth': `Sentry sentry_key=${'0'.repeat(32)}` };
    await expectRefusal(
      await send(edge, route, '{}', { auth: false, headers: stranger }),
      403,
      /check the DSN/,
    );
  });

  test.each([
    '/api/0/envelope/',
    at('nothing/'),
    at('cron/'),
    at('unreal/'),
    at('events/x/'),
    '/api/x/envelope/',
  ])('%s is none', async (route) => {
    expect((await send(edge, route, '{}')).status).toBe(404);
  });

  test('another key in the path than in the header is refused', async () => {
    const response = await send(edge, at(`cron/nightly/${'1'.repeat(32)}?status=ok`), null);
    await expectRefusal(response, 401, /Two different keys/);
  });
});

describe('a limit', () => {
  const quota: Quota = {
    id: 'k',
    scope: 'key',
    ownerId: 3,
    categories: [],
    limit: 0,
    windowSeconds: 60,
    reasonCode: 'key_quota',
  };
  const cases: [string, string | Uint8Array, Record<string, string>, number][] = [
    ['envelope/', '{}\n{"type":"event"}\n{}', {}, 429],
    ['store/', '{}', {}, 429],
    ['security/', '{}', json, 429],
    ['nel/', '{}', json, 200],
    ['cron/a?status=ok', '', {}, 202],
    ['otlp/v1/traces', '{}', json, 429],
    ['integration/otlp/v1/logs', '{}', json, 200],
    ['minidump/', 'MDMP dump', {}, 200],
    [`unreal/${EDGE_KEY}/`, 'CR1 report', {}, 200],
  ];

  test('is told by 429 with when to come back, or hidden from who would only try again', async () => {
    const limited = await openEdge({ quotas: [quota] });
    for (const [route, body, headers, status] of cases) {
      const response = await send(limited, at(route), body, { headers });
      expect([route, response.status]).toEqual([route, status]);
      const told = response.headers.get('x-sentry-rate-limits');
      if (status === 429) {
        expect(told).toBe('60::key:key_quota');
        expect(response.headers.get('retry-after')).toBe('60');
        expect(await response.json()).toEqual({ detail: expect.stringMatching(/key_quota.*60 s/) });
      } else {
        expect(told).toBeNull();
      }
    }
    expect(limited.records.flatMap(({ items }) => items)).toEqual([]);
    for (const { outcomes } of limited.records) {
      for (const { outcome, reason } of outcomes)
        expect([outcome, reason]).toEqual(['rate_limited', 'key_quota']);
    }
    expect(limited.blobFiles()).toEqual([]);
    await limited.close();
  });

  test('of some items leaves the rest, and their large bodies never reach the disk', async () => {
    const limited = await openEdge({ quotas: [{ ...quota, categories: ['attachment'] }] });
    const body = Buffer.concat([
      Buffer.from(
        `{"event_id":"${ID}"}\n{"type":"event"}\n{"a":1}\n{"type":"attachment","length":${2 * MIB}}\n`,
      ),
      Buffer.alloc(2 * MIB, 1),
    ]);
    const response = await send(limited, at('envelope/'), body);
    expect(response.status).toBe(429);
    expect(response.headers.get('x-sentry-rate-limits')).toBe('60:attachment:key:key_quota');
    expect(itemsOf(limited.records[0])).toEqual([{ type: 'event', payload: '{"a":1}' }]);
    expect(limited.records[0]?.outcomes).toEqual([
      { category: 'attachment', outcome: 'rate_limited', reason: 'key_quota', quantity: 1 },
    ]);
    expect(limited.blobsBegun()).toBe(0);
    await limited.close();
  });
});
