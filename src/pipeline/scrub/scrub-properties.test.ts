import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NormalizedEvent } from '#protocol/event.ts';
import { type AdvancedRule, DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import { digestFixture } from '../fixtures/digest-fixture.ts';
import { compilePlan } from './compile-plan.ts';
import { RULE_METHODS, RULE_TYPES } from './rule-types.ts';
import { scrubEventPayload } from './scrub-payload.ts';
import { compileScrubber } from './scrubber.ts';

const DEFAULTS = DEFAULT_INGEST_SETTINGS.privacy;

const key = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 8, unit: 'binary' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('__proto__', 'constructor', '', 'toString', 'hasOwnProperty', '\ud800'),
  },
);
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\ud800 4111111111111111 \udfff', 'a\0b@c.de', 'password=\ud800', 'http://a:b@c'),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map(objectOf),
  ),
}));
const object = fc.array(fc.tuple(key, json), { maxLength: 5 }).map(objectOf);

/** As parsed JSON has it: `__proto__` is a field like any other. */
function objectOf(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    Object.defineProperty(made, name, { value, writable: true, enumerable: true, configurable: true });
  }
  return made;
}

/** Of any shape at all, also in places where the schema expects another. */
const event = fc
  .record(
    Object.fromEntries(
      [
        'extra',
        'contexts',
        'user',
        'request',
        'tags',
        'breadcrumbs',
        'exception',
        'threads',
        'stacktrace',
        'logentry',
        'errors',
        '_meta',
        'spans',
        'csp',
        'debug_meta',
      ].map((name) => [name, fc.oneof(object, json)]),
    ),
    { requiredKeys: [] },
  )
  .map((fields) => ({ ...fields, event_id: 'a' }) as unknown as NormalizedEvent);

const advancedRules = fc.array(
  fc.record<AdvancedRule>({
    method: fc.constantFrom(...RULE_METHODS),
    type: fc.constantFrom(...RULE_TYPES),
    pattern: fc.constantFrom('a+', '(?i)p.*', '\\w', '(', '[^a]*'),
    placeholder: fc.constantFrom(null, '', '[x]', '\0'),
    selector: fc.constantFrom(
      '**',
      '$string',
      '$object',
      'extra.**',
      '!extra',
      '$error || $user',
      "'__proto__'",
      '(',
    ),
  }),
  { maxLength: 4 },
);

const settings = fc.record({
  defaultRules: fc.boolean(),
  scrubIpAddresses: fc.boolean(),
  sensitiveFields: fc.array(fc.string({ maxLength: 4 }), { maxLength: 2 }),
  safeFields: fc.array(fc.oneof(fc.string({ maxLength: 4 }), fc.constant('extra.**')), { maxLength: 2 }),
  advancedRules,
  textAttachments: fc.constant('scrub' as const),
  recordings: fc.constant('scrub' as const),
});

describe('whatever comes in', () => {
  test('scrubbing never throws, leaves its input alone, and does the same again', () => {
    fc.assert(
      fc.property(event, settings, (payload, privacy) => {
        const before = JSON.stringify(payload);
        const first = JSON.stringify(compileScrubber(privacy).scrubEvent(payload));
        expect(JSON.stringify(payload)).toBe(before);
        expect(JSON.stringify(compileScrubber(privacy).scrubEvent(payload))).toBe(first);
        expect(Object.getPrototypeOf(compileScrubber(privacy).scrubEvent(payload))).toBe(Object.prototype);
      }),
      { numRuns: 1_500 },
    );
  });

  test('other payloads too', () => {
    const root = fc.constantFrom('transaction', 'span', 'log', 'metric', 'feedback', 'replay', 'profile');
    const record = fc.record(
      Object.fromEntries(
        ['attributes', 'data', 'body', 'description', 'tags', 'urls', 'contexts', 'links'].map((name) => [
          name,
          fc.oneof(object, json),
        ]),
      ),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(root, record, settings, (name, payload, privacy) => {
        const before = JSON.stringify(payload);
        compileScrubber(privacy).scrubRecord(name as 'span', payload);
        expect(JSON.stringify(payload)).toBe(before);
      }),
      { numRuns: 1_000 },
    );
  });

  test('names of attachments and addresses', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), settings, (name, privacy) => {
        const { scrubAttachmentName, scrubIp } = compileScrubber(privacy);
        expect(scrubAttachmentName(name)).not.toBe('');
        scrubIp(name);
      }),
    );
  });

  test('what nothing changes is handed on, not copied', () => {
    fc.assert(
      fc.property(object, (extra) => {
        const payload = { event_id: 'a', extra, tags: [['a', 'b']] } as unknown as NormalizedEvent;
        const scrubbed = compileScrubber(DEFAULTS).scrubEvent(payload);
        if (JSON.stringify(scrubbed.extra) === JSON.stringify(extra)) expect(scrubbed.extra).toBe(extra);
        expect(scrubbed.tags).toBe(payload.tags);
      }),
    );
  });
});

describe('no secret under a sensitive name survives', () => {
  const SECRET = 'q7Zk-planted-Xv93';
  const name = fc.constantFrom(
    'password',
    'user_password_2',
    'Secret',
    'API-KEY',
    'accessToken',
    'Authorization',
    'private_key',
    'mysql_pwd',
    'x-csrftoken',
    'set-cookie',
    'credentials',
  );
  const planted = fc.oneof(
    fc.constant(SECRET),
    fc.constant([SECRET]),
    fc.constant({ a: { b: [SECRET] } }),
    fc.constant([['name', SECRET], 1]),
  );
  /** Wraps the secret in harmless JSON, some levels deep. */
  const buried = fc
    .tuple(name, planted, fc.array(fc.constantFrom('list', 'map', 'pair', 'first'), { maxLength: 4 }))
    .map(([field, value, layers]) =>
      layers.reduce<Record<string, unknown>>(
        (inner, layer) => {
          if (layer === 'list') return { items: [1, inner, 'x'] };
          if (layer === 'pair') return { two: ['colour', inner] };
          return layer === 'first' ? { inner, other: 'x' } : { colour: { inner } };
        },
        { [field]: value, beside: 'x' },
      ),
    );

  test('in any place of the event where people put data', () => {
    const places: ((data: Record<string, unknown>) => unknown)[] = [
      (extra) => ({ extra }),
      (own) => ({ contexts: { own } }),
      (device) => ({ contexts: { device, os: device, runtime: device, app: device } }),
      (data) => ({ contexts: { trace: { data }, response: { data, headers: data } } }),
      (data) => ({ user: { id: '1', data } }),
      (data) => ({ request: { url: 'https://example.com', data } }),
      (data) => ({ request: { url: 'https://example.com', data: JSON.stringify(data) } }),
      (env) => ({ request: { url: 'https://example.com', env } }),
      (data) => ({ breadcrumbs: { values: [{ category: 'x', data }] } }),
      (params) => ({ logentry: { message: 'x %s', params } }),
      (data) => ({ exception: { values: [{ type: 'E', value: 'x', mechanism: { type: 'y', data } }] } }),
      (vars) => ({
        exception: { values: [{ type: 'E', value: 'x', stacktrace: { frames: [{ function: 'f', vars }] } }] },
      }),
      (vars) => ({ threads: { values: [{ id: 1, stacktrace: { frames: [{ function: 'f', vars }] } }] } }),
    ];
    fc.assert(
      fc.property(buried, fc.constantFrom(...places), (data, place) => {
        // The whole way of an event: read, normalized, scrubbed, tags and title derived.
        expect(JSON.stringify(digestFixture(place(data)))).not.toContain(SECRET);
      }),
      { numRuns: 1_500 },
    );
  });

  test('in lists of names and values', () => {
    fc.assert(
      fc.property(name, (field) => {
        const digested = digestFixture({
          tags: { [field]: SECRET },
          request: {
            url: `https://example.com/?${field}=${SECRET}`,
            headers: { [field]: SECRET },
            cookies: `${field}=${SECRET}`,
            data: `${field}=${SECRET}&a=b`,
          },
        });
        expect(JSON.stringify(digested)).not.toContain(SECRET);
      }),
    );
  });

  test('and each of them is marked', () => {
    fc.assert(
      fc.property(buried, (extra) => {
        const payload = { event_id: 'a', extra } as unknown as NormalizedEvent;
        const { value, marks } = scrubEventPayload(compilePlan(DEFAULTS), payload);
        expect(marks.length).toBeGreaterThan(0);
        for (const { path } of marks) {
          const leaf = path.reduce<unknown>(
            (node, part) => (node as Record<string, unknown> | undefined)?.[String(part)],
            value._meta,
          );
          expect((leaf as Record<string, { rem?: unknown } | undefined>)['']?.rem).toBeInstanceOf(Array);
        }
      }),
    );
  });
});
