import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
beforeEach(() => {
  edge.records.length = 0;
  edge.refused.length = 0;
});

describe('/store/', () => {
  const event = { event_id: ID, message: 'hello' };
  const forms: [string, string][] = [
    ['JSON', JSON.stringify(event)],
    ['JSON after blanks and a byte order mark', `\ufeff\r\n  ${JSON.stringify(event)}`],
    ['base64 of JSON', Buffer.from(JSON.stringify(event)).toString('base64')],
    ['base64 of zlib', deflateSync(JSON.stringify(event)).toString('base64')],
    ['base64 of raw deflate', deflateRawSync(JSON.stringify(event)).toString('base64')],
  ];

  test.each(forms)('takes %s', async (_name, body) => {
    const response = await send(edge, '/api/store/', body);
    expect([response.status, await response.json()]).toEqual([200, { id: ID }]);
    expect(itemsOf(edge.records[0])).toMatchObject([{ type: 'event' }]);
    expect(JSON.parse(itemsOf(edge.records[0])[0]?.payload.replace('\ufeff', '') ?? '')).toEqual(event);
    expect(edge.records[0]).toMatchObject({
      eventId: ID,
      projectId: EDGE_PROJECT,
      keyId: 3,
      organizationId: 1,
    });
  });

  test('takes NaN as Python writes it, and leaves it to digest', async () => {
    const body = `{"event_id":"${ID}","extra":{"x":NaN}}`;
    expect(await (await send(edge, at('store/'), body)).json()).toEqual({ id: ID });
    expect(itemsOf(edge.records[0])).toEqual([{ type: 'event', payload: body }]);
  });

  test.each([
    ['transaction', 'transaction'],
    ['csp', 'security'],
    ['error', 'event'],
  ])('a payload that calls itself %s is kept as %s', async (type, itemType) => {
    await send(edge, at('store/'), JSON.stringify({ event_id: ID, type }));
    expect(itemsOf(edge.records[0])[0]?.type).toBe(itemType);
  });

  test('takes an envelope that says it is one', async () => {
    const response = await send(edge, at('store/'), `{"event_id":"${ID}"}\n{"type":"event"}\n{}\n`, {
      headers: { 'content-type': 'application/x-sentry-envelope' },
    });
    expect(await response.json()).toEqual({ id: ID });
    expect(itemsOf(edge.records[0])).toEqual([{ type: 'event', payload: '{}' }]);
  });

  test('takes an event in the query and answers a pixel', async () => {
    const data = deflateSync(JSON.stringify(event)).toString('base64');
    for (const text of [encodeURIComponent(JSON.stringify(event)), encodeURIComponent(data)]) {
      const response = await fetch(
        `${edge.url}${at('store/')}?sentry_key=${EDGE_KEY}&sentry_version=7&sentry_data=${text}`,
      );
      const pixel = Buffer.from(await response.arrayBuffer());
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/gif']);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(pixel.toString('latin1', 0, 6)).toBe('GIF89a');
      expect([pixel.readUInt16LE(6), pixel.readUInt16LE(8)]).toEqual([1, 1]);
    }
    expect(edge.records.map((record) => JSON.parse(itemsOf(record)[0]?.payload ?? ''))).toEqual([
      event,
      event,
    ]);
  });

  test('refuses what is no event', async () => {
    await expectRefusal(await send(edge, at('store/'), ''), 400, /empty/);
    await expectRefusal(await send(edge, at('store/'), 'what is this?'), 400, /neither JSON nor base64/);
    await expectRefusal(await send(edge, at('store/'), '\0\0'), 400, /neither JSON nor base64/);
    await expectRefusal(await send(edge, at('store/'), null, { method: 'GET' }), 400, /sentry_data/);
    const bomb = deflateSync(Buffer.alloc(3 * MIB, ' ')).toString('base64');
    await expectRefusal(await send(edge, at('store/'), bomb), 413, /1048576/);
    expect(edge.refused.map(({ reason }) => reason)).toEqual([
      'no_data',
      'invalid_body',
      'invalid_body',
      'no_data',
      'too_large',
    ]);
  });
});

describe('reports of browsers', () => {
  const report = {
    'csp-report': { 'document-uri': 'https://example.com/', 'effective-directive': 'img-src' },
  };

  test.each(['security/', 'csp-report/'])('%s takes a report with the release of the page', async (route) => {
    const query = `?sentry_key=${EDGE_KEY}&sentry_release=app%401.2&sentry_environment=prod`;
    const response = await send(edge, `${at(route)}${query}`, JSON.stringify(report), {
      auth: false,
      headers: { 'content-type': 'application/csp-report; charset=utf-8' },
    });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(itemsOf(edge.records[0])).toEqual([
      {
        type: 'raw_security',
        payload: JSON.stringify(report),
        facts: { contentType: 'application/csp-report', release: 'app@1.2', environment: 'prod' },
      },
    ]);
    expect(edge.records[0]?.eventId).toMatch(/^[0-9a-f]{32}$/);
  });

  test('network errors are kept', async () => {
    const reports = [{ type: 'network-error', body: { type: 'dns.name_not_resolved' } }];
    const response = await send(edge, at('nel/'), JSON.stringify(reports), {
      headers: { 'content-type': 'application/reports+json' },
    });
    expect(response.status).toBe(200);
    expect(itemsOf(edge.records[0])).toEqual([
      {
        type: 'nel',
        payload: JSON.stringify(reports),
        facts: { contentType: 'application/reports+json' },
      },
    ]);
  });

  test('other content types and empty bodies are refused, broken JSON is left to digest', async () => {
    await expectRefusal(
      await send(edge, at('security/'), '{}', { headers: { 'content-type': 'text/plain' } }),
      415,
      /application\/csp-report/,
    );
    await expectRefusal(
      await send(edge, at('nel/'), '{}', { headers: { 'content-type': 'text/css' } }),
      415,
      /reports/,
    );
    await expectRefusal(await send(edge, at('security/'), '', { headers: json }), 400, /empty/);
    expect((await send(edge, at('security/'), '[{', { headers: json })).status).toBe(200);
    expect(itemsOf(edge.records[0])[0]?.payload).toBe('[{');
    expect(edge.refused.map(({ category }) => category)).toEqual(Array(3).fill('security'));
  });
});

describe('/cron/', () => {
  const checkIn = () => JSON.parse(itemsOf(edge.records[0])[0]?.payload ?? '') as unknown;

  test.each(['GET', 'POST'])('takes a check-in in the query by %s', async (method) => {
    const response = await send(
      edge,
      at(`cron/my%20job/${EDGE_KEY}?status=in_progress&check_in_id=${ID}&duration=1.5&environment=prod`),
      null,
      { method, auth: false },
    );
    expect([response.status, await response.text()]).toEqual([202, '']);
    expect(itemsOf(edge.records[0])).toMatchObject([{ type: 'check_in' }]);
    expect(checkIn()).toEqual({
      check_in_id: ID,
      monitor_slug: 'my job',
      status: 'in_progress',
      environment: 'prod',
      duration: 1.5,
    });
  });

  test('takes a form', async () => {
    const response = await send(edge, at('cron/nightly/?environment=prod'), 'status=ok&duration=3', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(response.status).toBe(202);
    expect(checkIn()).toEqual({
      check_in_id: '0'.repeat(32),
      monitor_slug: 'nightly',
      status: 'ok',
      environment: 'prod',
      duration: 3,
    });
  });

  test('takes JSON with the schedule; the slug of the path counts', async () => {
    const monitor_config = { schedule: { type: 'crontab', value: '0 3 * * *' }, checkin_margin: 5 };
    const body = JSON.stringify({ status: 'ok', monitor_slug: 'other', monitor_config, check_in_id: ID });
    expect((await send(edge, at('cron/nightly'), body, { headers: json })).status).toBe(202);
    expect(checkIn()).toEqual({ check_in_id: ID, monitor_slug: 'nightly', status: 'ok', monitor_config });
  });

  test.each([
    ['no status', 'cron/nightly', null, {}, 400, /no status/],
    ['an id that is none', 'cron/nightly?status=ok&check_in_id=7', null, {}, 400, /UUID/],
    ['a duration that is none', 'cron/nightly?status=ok&duration=long', null, {}, 400, /seconds/],
    ['broken JSON', 'cron/nightly', '{', json, 400, /could not be parsed/],
    ['JSON without a status', 'cron/nightly', '{}', json, 400, /no status/],
    ['JSON that is too long', 'cron/nightly', `{"a":"${'x'.repeat(110_000)}"}`, json, 413, /102400/],
  ] as const)('refuses %s', async (_name, route, body, headers, status, reason) => {
    await expectRefusal(await send(edge, at(route), body, { headers }), status, reason);
    expect(edge.refused).toMatchObject([{ category: 'monitor', outcome: 'invalid' }]);
  });
});

describe('/otlp/', () => {
  test.each([
    ['otlp/v1/traces', 'otlp_traces'],
    ['integration/otlp/v1/traces', 'otlp_traces'],
    ['integration/otlp/v1/logs', 'otlp_logs'],
    ['otlp/v1/metrics', 'otlp_metrics'],
    ['integration/otlp/v1/metrics', 'otlp_metrics'],
  ])('%s takes protobuf and JSON and answers in the same', async (route, type) => {
    const protobuf = await send(edge, at(route), Buffer.from([10, 0]), {
      headers: { 'content-type': 'application/x-protobuf' },
    });
    expect([protobuf.status, protobuf.headers.get('content-type'), await protobuf.text()]).toEqual([
      200,
      'application/x-protobuf',
      '',
    ]);
    const body = await send(edge, at(route), gzipSync('{"resourceSpans":[]}'), {
      headers: { 'content-type': 'application/json; charset=utf-8', 'content-encoding': 'gzip' },
    });
    expect([body.status, body.headers.get('content-type'), await body.text()]).toEqual([
      200,
      'application/json',
      '{}',
    ]);
    expect(edge.records.flatMap(itemsOf)).toEqual([
      { type, payload: '\n\0', facts: { contentType: 'application/x-protobuf' } },
      { type, payload: '{"resourceSpans":[]}', facts: { contentType: 'application/json' } },
    ]);
  });

  test('refuses other encodings and large bodies', async () => {
    await expectRefusal(
      await send(edge, at('otlp/v1/traces'), 'x', { headers: { 'content-type': 'text/plain' } }),
      415,
      /application\/x-protobuf/,
    );
    await expectRefusal(
      await send(edge, at('integration/otlp/v1/logs'), Buffer.alloc(13 * MIB), {
        headers: { 'content-type': 'application/x-protobuf' },
      }),
      413,
      /12582912/,
    );
    expect(edge.refused.map(({ category, reason }) => [category, reason])).toEqual([
      ['span', 'invalid_content_type'],
      ['log_item', 'too_large'],
    ]);
  });
});
