import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DigestedEvent } from '#protocol/event.ts';
import { DEFAULT_INGEST_SETTINGS, NO_FILTERS } from '#protocol/ingest-settings.ts';
import { FIXTURES_RECEIVED_AT_MS, itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import { compileIngestRules } from '../ingest-rules.ts';
import type { ItemContext, RawItem } from '../item.ts';
import { originOfUri } from './csp-report.ts';
import { digestNel, digestSecurityReport } from './digest-reports.ts';

const EVENT_ID = 'c4ca4238a0b923820dcc509a6f75849b';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const digest = (payload: unknown, item: Partial<RawItem> = {}, context: Partial<ItemContext> = {}) =>
  digestSecurityReport(
    rawItem('raw_security', payload, item),
    itemContext({ envelopeEventId: EVENT_ID, userAgent: FIREFOX, ...context }),
  );
const eventOf = (payload: unknown, item: Partial<RawItem> = {}): DigestedEvent => {
  const [event] = digest(payload, item).events;
  if (!event) throw new Error('no event');
  return event;
};
const csp = (fields: Record<string, unknown> = {}) => ({
  'csp-report': {
    'document-uri': 'https://shop.example/cart',
    referrer: 'https://www.google.com/',
    'violated-directive': "script-src-elem https://shop.example 'unsafe-inline'",
    'effective-directive': 'script-src-elem',
    'original-policy': "default-src 'self'",
    'blocked-uri': 'https://evil.example/bad.js?x=1',
    'status-code': '200',
    'line-number': 24,
    disposition: 'enforce',
    ...fields,
  },
});

describe('a violation of a content security policy', () => {
  test('is an event that says what was blocked', () => {
    const event = eventOf(csp(), { release: 'shop@1.0.0', environment: 'production' });
    expect(event).toMatchObject({
      eventId: EVENT_ID,
      type: 'csp',
      level: 'error',
      platform: 'other',
      logger: 'csp',
      title: "Blocked 'script' from 'evil.example'",
      culprit: "script-src-elem 'self' 'unsafe-inline'",
      release: 'shop@1.0.0',
      environment: 'production',
    });
    expect(event.user.ip).toBe('198.51.100.4');
    expect(event.tags).toEqual(
      expect.arrayContaining([
        ['effective-directive', 'script-src-elem'],
        ['blocked-host', 'evil.example'],
      ]),
    );
    expect(event.payload.csp).toMatchObject({
      effective_directive: 'script-src-elem',
      blocked_uri: 'https://evil.example/bad.js?x=1',
      status_code: 200,
      line_number: 24,
      disposition: 'enforce',
    });
    expect(event.payload.request).toMatchObject({ url: 'https://shop.example/cart' });
    expect(event.payload.request?.headers).toEqual(
      expect.arrayContaining([
        ['Referer', 'https://www.google.com/'],
        ['User-Agent', FIREFOX],
      ]),
    );
    expect(event.payload.contexts?.browser).toMatchObject({ name: 'Firefox' });
  });

  test.each([
    [{ 'effective-directive': 'script-src', 'blocked-uri': 'inline' }, "Blocked unsafe inline 'script'"],
    [{ 'effective-directive': 'script-src', 'blocked-uri': 'eval' }, "Blocked unsafe eval() 'script'"],
    [
      { 'effective-directive': 'script-src', 'blocked-uri': 'self' },
      "Blocked unsafe (eval() or inline) 'script'",
    ],
    [{ 'effective-directive': 'style-src', 'blocked-uri': '' }, "Blocked inline 'style'"],
    [{ 'effective-directive': 'img-src', 'blocked-uri': 'data' }, "Blocked 'image' from 'data:'"],
    [
      { 'effective-directive': 'form-action', 'blocked-uri': 'http://a.b:8080/x' },
      "Blocked 'form' action to 'a.b:8080'",
    ],
    [{ 'effective-directive': 'frame-src', 'blocked-uri': 'https://a.b' }, "Blocked 'frame-src' from 'a.b'"],
    [
      { 'effective-directive': '', 'violated-directive': 'default-src self' },
      "Blocked 'default-src' from 'evil.example'",
    ],
  ])('%j is called %s', (fields, title) => {
    expect(eventOf(csp(fields)).title).toBe(title);
  });

  test('comes in the form of the Reporting API too, several at once', () => {
    const report = (blockedURL: string) => ({
      type: 'csp-violation',
      age: 10,
      url: 'https://shop.example/cart',
      user_agent: 'x',
      body: {
        documentURL: 'https://shop.example/cart',
        effectiveDirective: 'script-src-elem',
        blockedURL,
        statusCode: 200,
        sample: 'console.log(1)',
      },
    });
    const result = digest([
      report('https://evil.example/a.js'),
      { type: 'deprecation', body: {} },
      report('https://other.example/a.js'),
      5,
    ]);
    expect(result.events.map(({ title }) => title)).toEqual([
      "Blocked 'script' from 'evil.example'",
      "Blocked 'script' from 'other.example'",
    ]);
    expect(result.events[0]?.eventId).toBe(EVENT_ID);
    expect(result.events[1]?.eventId).not.toBe(EVENT_ID);
    expect(result.events[0]?.payload.csp?.script_sample).toBe('console.log(1)');
    expect(result.outcomes.map(({ outcome, reason, quantity }) => [outcome, reason, quantity])).toEqual([
      ['accepted', '', 2],
      ['filtered', 'unsupported_security_report', 1],
      ['invalid', 'security_report', 1],
    ]);
  });

  test('groups by directive and blocked host', () => {
    const hash = (fields: Record<string, unknown>) => eventOf(csp(fields)).groupingHash;
    expect(hash({ 'blocked-uri': 'https://evil.example/other.js' })).toBe(hash({}));
    expect(hash({ 'document-uri': 'https://shop.example/elsewhere' })).toBe(hash({}));
    expect(hash({ 'blocked-uri': 'https://other.example/bad.js' })).not.toBe(hash({}));
    expect(hash({ 'effective-directive': 'img-src' })).not.toBe(hash({}));
  });

  test.each([
    ['no JSON', Buffer.from('csp'), 'invalid_json'],
    ['an object of something else', { hello: 1 }, 'security_report_type'],
    [
      'a report without a directive',
      csp({ 'effective-directive': 'x', 'violated-directive': 'y' }),
      'security_report',
    ],
    ['an empty list', [], 'no_data'],
    ['a trick', Buffer.from('1},{"reports":{"csp-report":{}}'), 'invalid_json'],
  ])('%s is refused', (_name, payload, reason) => {
    expect(digest(payload).outcomes).toEqual([
      { category: 'security', outcome: 'invalid', reason, quantity: 1 },
    ]);
  });

  test('inbound filters hold', () => {
    const rules = compileIngestRules({
      ...DEFAULT_INGEST_SETTINGS,
      filters: { ...NO_FILTERS, webCrawlers: true },
    });
    const result = digest(csp(), {}, { rules, userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' });
    expect(result.outcomes).toEqual([
      { category: 'security', outcome: 'filtered', reason: 'web-crawlers', quantity: 1 },
    ]);
  });

  test('of 150 reports in one request the first hundred are taken', () => {
    const reports = Array.from({ length: 150 }, () => ({ type: 'csp-violation', body: csp()['csp-report'] }));
    const result = digest(reports);
    expect(result.events).toHaveLength(100);
    expect(new Set(result.events.map(({ eventId }) => eventId)).size).toBe(100);
    expect(result.outcomes).toContainEqual({
      category: 'security',
      outcome: 'invalid',
      reason: 'too_many_items',
      quantity: 50,
    });
  });
});

describe('reports about certificates', () => {
  const chain = { 'served-certificate-chain': ['-----BEGIN CERTIFICATE-----'], port: 443 };

  test('Expect-CT', () => {
    const event = eventOf({
      'expect-ct-report': { hostname: 'shop.example', ...chain, scts: [{ status: 'invalid' }] },
    });
    expect(event).toMatchObject({
      type: 'expectct',
      title: "Expect-CT failed for 'shop.example'",
      culprit: 'shop.example',
    });
    expect(event.payload.expectct).toMatchObject({ hostname: 'shop.example', scts: [{ status: 'invalid' }] });
  });

  test('Expect-Staple', () => {
    const staple = (status: string) =>
      eventOf({ 'expect-staple-report': { hostname: 'shop.example', 'response-status': status, ...chain } });
    expect(staple('MISSING')).toMatchObject({
      type: 'expectstaple',
      title: "Expect-Staple failed for 'shop.example'",
    });
    expect(staple('MISSING').tags).toContainEqual(['response_status', 'MISSING']);
    expect(staple('MISSING').groupingHash).toBe(staple('INVALID_DATE').groupingHash);
  });

  test('public key pinning', () => {
    const event = eventOf({
      hostname: 'shop.example',
      'known-pins': ['pin-sha256="x"'],
      'noted-hostname': 'example',
      ...chain,
    });
    expect(event).toMatchObject({
      type: 'hpkp',
      title: "Public key pinning validation failed for 'shop.example'",
    });
    expect(event.payload.hpkp).toMatchObject({ noted_hostname: 'example', known_pins: ['pin-sha256="x"'] });
  });

  test('without a host are refused', () => {
    expect(digest({ 'expect-ct-report': { port: 443 } }).outcomes[0]?.reason).toBe('security_report');
  });
});

describe('network errors', () => {
  const nel = (body: Record<string, unknown> = {}, fields: Record<string, unknown> = {}) => ({
    age: 31_042,
    type: 'network-error',
    url: 'https://shop.example/cart',
    user_agent: FIREFOX,
    body: {
      phase: 'connection',
      type: 'tcp.refused',
      method: 'GET',
      server_ip: '192.0.2.7',
      status_code: 0,
      ...body,
    },
    ...fields,
  });
  const digestReports = (payload: unknown) =>
    digestNel(rawItem('nel', payload), itemContext({ userAgent: 'curl/8' }));

  test('are events from when they happened', () => {
    const [event] = digestReports([nel()]).events;
    expect(event).toMatchObject({
      type: 'nel',
      logger: 'nel',
      title: 'connection / tcp.refused',
      culprit: 'tcp.refused',
      occurredAt: FIXTURES_RECEIVED_AT_MS - 31_042,
    });
    expect(event?.payload.request?.headers).toContainEqual(['User-Agent', FIREFOX]);
    expect(event?.payload.nel).toMatchObject({ body: { phase: 'connection' } });
    expect(event?.tags).toContainEqual(['method', 'GET']);
  });

  test('say which status an answer had, and that a success is none', () => {
    const [event] = digestReports(nel({ type: 'http.error', phase: 'application', status_code: 503 })).events;
    expect(event?.title).toBe('application / http.error (503)');
    expect(digestReports(nel({ type: 'ok' })).events[0]?.level).toBe('info');
  });

  test.each([[{}], [{ body: {} }], [nel({}, { type: 'csp-violation' })]])('%j is refused', (payload) => {
    expect(digestReports(payload).outcomes[0]).toMatchObject({ outcome: 'invalid', reason: 'invalid_nel' });
  });
});

test.each([
  ['', "'self'"],
  ['data', 'data:'],
  ['http', 'http://'],
  ['http://notlocalhost:8000/lol.css', 'notlocalhost:8000'],
  ['xyz://host/', 'xyz://host'],
  ['blob:https://a.example/1', 'blob:'],
  ['http://[', 'http://['],
])('the origin of %j is %s', (uri, origin) => {
  expect(originOfUri(uri)).toBe(origin);
});

test('whatever is sent, everything in it ends in an outcome', () => {
  const fields = fc.constantFrom(
    'blocked-uri',
    'effective-directive',
    'violated-directive',
    'document-uri',
    'referrer',
    'x',
  );
  fc.assert(
    fc.property(fields, fc.jsonValue(), fc.array(fc.jsonValue(), { maxLength: 5 }), (name, value, list) => {
      for (const payload of [
        csp({ [name]: value }),
        list,
        [...list, csp({ [name]: value })],
        { type: value, body: value },
      ]) {
        const security = digest(payload);
        const network = digestNel(rawItem('nel', payload), itemContext());
        const expected = Array.isArray(payload) ? Math.max(1, payload.length) : 1;
        for (const { outcomes, events } of [security, network]) {
          expect(outcomes.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(expected);
          expect(outcomes.find(({ outcome }) => outcome === 'accepted')?.quantity ?? 0).toBe(events.length);
        }
      }
    }),
  );
});
