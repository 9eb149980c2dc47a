import { describe, expect, test } from 'vitest';
import { digestFixture } from '../fixtures/digest-fixture.ts';
import {
  BREADCRUMBS_MAX,
  EXTRA_LIMITS,
  FRAMES_PER_STACK_MAX,
  MESSAGE_CHARS_MAX,
  PROBLEMS_MAX,
  TAG_VALUE_CHARS_MAX,
} from './limits.ts';

/** As it is stored: without the fields that are absent. */
const normalize = (payload: unknown, raw = {}) =>
  JSON.parse(JSON.stringify(digestFixture(payload, raw).payload));

const EXCEPTION = { type: 'Error', value: 'boom' };

describe('shapes that SDKs sent over the years', () => {
  test.each([
    ['{values}', { exception: { values: [EXCEPTION] } }],
    ['a list', { exception: [EXCEPTION] }],
    ['a single object', { exception: EXCEPTION }],
    ['a single object as values', { exception: { values: EXCEPTION } }],
    ['the old key', { 'sentry.interfaces.Exception': { values: [EXCEPTION] } }],
    ['the type inside the value', { exception: { value: 'Error: boom' } }],
  ])('an exception as %s', (_, payload) => {
    expect(normalize(payload)).toMatchObject({ type: 'error', exception: { values: [EXCEPTION] } });
  });

  test.each([
    ['text', { message: 'hello' }],
    ['an object', { message: { message: 'hello' } }],
    ['a logentry', { logentry: { message: 'hello' } }],
    ['a logentry of text', { logentry: 'hello' }],
    ['a formatted logentry', { logentry: { formatted: 'hello' } }],
    ['the old key', { 'sentry.interfaces.Message': { message: 'hello' } }],
    ['an empty logentry beside a message', { logentry: { message: null }, message: 'hello' }],
  ])('a message as %s', (_, payload) => {
    expect(normalize(payload)).toMatchObject({ type: 'default', logentry: { formatted: 'hello' } });
  });

  test.each([
    ['an object', { a: 1, b: true, c: 'x' }],
    [
      'pairs',
      [
        ['a', 1],
        ['b', true],
        ['c', 'x'],
      ],
    ],
    [
      'a list of objects',
      [
        { key: 'a', value: 1 },
        { key: 'b', value: true },
        { key: 'c', value: 'x' },
      ],
    ],
  ])('tags as %s', (_, tags) => {
    expect(normalize({ tags })).toMatchObject({
      tags: [
        ['a', '1'],
        ['b', 'true'],
        ['c', 'x'],
      ],
    });
  });

  test.each([
    ['a list', [{ message: 'step', level: 'warn', timestamp: '2026-09-21T13:33:20Z' }]],
    ['{values}', { values: [{ message: 'step', level: 'warn', timestamp: 1_789_997_600 }] }],
  ])('breadcrumbs as %s', (_, breadcrumbs) => {
    expect(normalize({ breadcrumbs }).breadcrumbs.values).toEqual([
      { message: 'step', level: 'warning', timestamp: 1_789_997_600 },
    ]);
  });

  test.each([
    ['a list', [{ id: 7, crashed: true, stacktrace: { frames: [{ function: 'f' }] } }]],
    ['{values}', { values: [{ id: 7, crashed: true, stacktrace: { frames: [{ function: 'f' }] } }] }],
  ])('threads as %s', (_, threads) => {
    expect(normalize({ threads }).threads.values).toMatchObject([
      { id: 7, crashed: true, stacktrace: { frames: [{ function: 'f' }] } },
    ]);
  });

  test('a lone stack trace belongs to the one exception without any', () => {
    const stacktrace = { frames: [{ function: 'f', filename: 'a.py' }] };
    const both = normalize({ exception: [EXCEPTION], stacktrace });
    expect(both.exception.values[0].stacktrace.frames).toMatchObject([{ function: 'f' }]);
    expect(both.stacktrace).toBeUndefined();
    expect(normalize({ message: 'm', stacktrace }).stacktrace.frames).toMatchObject([{ function: 'f' }]);
  });
});

describe('requests', () => {
  test.each([
    [
      'objects',
      { headers: { 'user-agent': 'x', 'X-ID': ['1', '2'] }, query_string: { q: 'a b' }, cookies: { c: '1' } },
    ],
    [
      'pairs',
      {
        headers: [
          ['User-Agent', 'x'],
          ['x-id', '1'],
          ['x_id', '2'],
        ],
        query_string: [['q', 'a b']],
        cookies: [['c', '1']],
      },
    ],
    ['text', { headers: 'USER-AGENT: x\r\nX-Id: 1\nX-Id: 2', query_string: '?q=a+b', cookies: 'c=1' }],
    [
      'a whole address',
      { url: 'http://h/p?q=a%20b#f', headers: { Cookie: 'c=1', 'User-Agent': 'x', 'X-Id': ['1', '2'] } },
    ],
  ])('headers, query and cookies as %s', (_, request) => {
    expect(normalize({ request }).request).toMatchObject({
      headers: [
        ['User-Agent', 'x'],
        ['X-Id', '1'],
        ['X-Id', '2'],
      ],
      query_string: [['q', 'a b']],
      cookies: [['c', '1']],
    });
  });

  test('the address loses its query and fragment', () => {
    expect(normalize({ request: { url: 'http://h/p?q=1#f' } }).request).toEqual({
      url: 'http://h/p',
      query_string: [['q', '1']],
      fragment: 'f',
    });
  });

  test.each([
    ['{"a":1}', { a: 1 }, 'application/json'],
    ['a=1&b=2', { a: '1', b: '2' }, 'application/x-www-form-urlencoded'],
    ['a=1&a=2&b=', { a: ['1', '2'], b: '' }, 'application/x-www-form-urlencoded'],
    ['dGU=', 'dGU=', undefined],
    ['dA==', 'dA==', undefined],
    ['<?xml version="1.0"?>', '<?xml version="1.0"?>', undefined],
    ['{broken', '{broken', undefined],
    ['plain text = here', 'plain text = here', undefined],
  ])('the body %s is read by what it is', (data, expected, contentType) => {
    expect(normalize({ request: { data } }).request).toEqual({
      data: expected,
      inferred_content_type: contentType,
    });
  });
});

describe('the user’s address', () => {
  const clientIp = '198.51.100.4';
  test.each([
    ['is the sender’s when the SDK says so', { user: { ip_address: '{{auto}}' } }, clientIp],
    ['is the sender’s for a browser that says nothing', { platform: 'javascript' }, clientIp],
    ['stays unknown for a server that says nothing', { platform: 'python' }, undefined],
    [
      'stays unknown for a browser that forbids it',
      { platform: 'javascript', sdk: { settings: { infer_ip: 'never' } } },
      undefined,
    ],
    [
      'is the sender’s for a server that allows it',
      { platform: 'node', sdk: { settings: { infer_ip: 'auto' } } },
      clientIp,
    ],
    [
      'is the remote address of the request',
      { request: { env: { REMOTE_ADDR: '203.0.113.9' } } },
      '203.0.113.9',
    ],
    ['is what was sent', { platform: 'javascript', user: { ip_address: '2001:DB8::1' } }, '2001:db8::1'],
    ['is IPv4 without its IPv6 prefix', { user: { ip_address: '::ffff:10.0.0.1' } }, '10.0.0.1'],
  ])('%s', (_, payload, expected) => {
    expect(normalize(payload, { clientIp }).user?.ip_address).toBe(expected);
  });

  test('that is none is reported', () => {
    expect(normalize({ user: { ip_address: 'localhost', id: 7 } })).toMatchObject({
      user: { id: '7' },
      errors: [
        {
          type: 'invalid_data',
          name: 'user.ip_address',
          reason: 'expected an IP address',
          value: 'localhost',
        },
      ],
    });
  });
});

test('a field of the wrong type is absent, with a reason; the rest of the event stays', () => {
  const event = normalize({
    message: 'm',
    level: 'loud',
    user: 'me',
    extra: 7,
    tags: 'x',
    release: 'a\nb',
    environment: 'none',
    breadcrumbs: [{ message: 'kept' }, 'lost'],
    exception: { values: [{ type: 'E', stacktrace: { frames: 'none' } }] },
    sdk: { name: 'sdk', version: {} },
  });
  expect(event).toMatchObject({
    level: 'error',
    sdk: { name: 'sdk' },
    exception: { values: [{ type: 'E' }] },
  });
  expect(event.breadcrumbs.values).toEqual([{ message: 'kept' }]);
  for (const key of ['user', 'extra', 'release', 'environment']) expect(event).not.toHaveProperty(key);
  expect(event.errors.map((problem: { name: string }) => problem.name).sort()).toEqual([
    'breadcrumbs.values.1',
    'environment',
    'exception.values.0.stacktrace.frames',
    'extra',
    'level',
    'release',
    'sdk.version',
    'tags',
    'user',
  ]);
});

test('null fields are absent without a reason', () => {
  const keys = [
    'level',
    'user',
    'extra',
    'tags',
    'release',
    'exception',
    'request',
    'contexts',
    'message',
    'sdk',
  ];
  const event = normalize(Object.fromEntries(keys.map((key) => [key, null])));
  expect(event.errors).toBeUndefined();
  expect(event).toMatchObject({ level: 'error', platform: 'other', type: 'default' });
});

test('environment and server name fall back to the tags that old SDKs sent', () => {
  const event = normalize({ tags: { environment: 'staging', server_name: 'web-1', kept: 'x' } });
  expect(event).toMatchObject({ environment: 'staging', server_name: 'web-1', tags: [['kept', 'x']] });
});

describe('bounds, each recorded', () => {
  const problemsOf = (event: { errors?: { type: string; name: string }[] }) =>
    event.errors?.map((problem) => `${problem.type} ${problem.name}`);

  test('a deep stack keeps both ends and says what it left out', () => {
    const frames = Array.from({ length: FRAMES_PER_STACK_MAX + 50 }, (_, index) => ({
      function: `f${index}`,
    }));
    const event = normalize({ exception: [{ ...EXCEPTION, stacktrace: { frames } }] });
    const { stacktrace } = event.exception.values[0];
    expect(stacktrace.frames).toHaveLength(FRAMES_PER_STACK_MAX);
    expect(stacktrace.frames.at(0).function).toBe('f0');
    expect(stacktrace.frames.at(-1).function).toBe(`f${FRAMES_PER_STACK_MAX + 49}`);
    expect(stacktrace.frames_omitted).toEqual([125, 175]);
    expect(problemsOf(event)).toEqual(['too_many_items exception.values.0.stacktrace.frames']);
  });

  test('a long message is cut, without splitting a character', () => {
    const event = normalize({ message: `${'x'.repeat(MESSAGE_CHARS_MAX - 1)}😀` });
    expect(event.logentry.formatted).toBe('x'.repeat(MESSAGE_CHARS_MAX - 1));
    expect(problemsOf(event)).toEqual(['value_too_long message']);
  });

  test('the newest breadcrumbs are kept', () => {
    const breadcrumbs = Array.from({ length: BREADCRUMBS_MAX + 1 }, (_, index) => ({ message: `b${index}` }));
    const event = normalize({ breadcrumbs });
    expect(event.breadcrumbs.values).toHaveLength(BREADCRUMBS_MAX);
    expect(event.breadcrumbs.values[0].message).toBe('b1');
  });

  test('extra is kept up to its size and depth', () => {
    const event = normalize({
      extra: Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`k${i}`, 'x'.repeat(1_000)])),
    });
    expect(JSON.stringify(event.extra).length).toBeLessThan(EXTRA_LIMITS.charsMax * 1.1);
    expect(problemsOf(event)).toEqual(['value_too_long extra']);
  });

  test('tag values are cut, keys with other signs go', () => {
    const event = normalize({ tags: { long: 'x'.repeat(500), 'späce!': 'lost', lines: 'a\nb' } });
    expect(event.tags).toEqual([
      ['long', 'x'.repeat(TAG_VALUE_CHARS_MAX)],
      ['lines', 'a b'],
    ]);
    expect(problemsOf(event)).toEqual(['value_too_long tags.long', 'invalid_data tags']);
  });

  test('what went wrong is listed up to its own bound', () => {
    expect(normalize({ breadcrumbs: Array(150).fill('x') }).errors).toHaveLength(PROBLEMS_MAX);
  });
});

test('prototype keys change nothing', () => {
  const json =
    '{"__proto__":{"message":"x"},"extra":{"__proto__":{"polluted":1},"kept":1},"contexts":{"__proto__":{"a":1}}}';
  const event = digestFixture(Buffer.from(json)).payload;
  expect(JSON.parse(JSON.stringify(event))).toMatchObject({ extra: { kept: 1 }, type: 'default' });
  expect(Object.getPrototypeOf(event.extra)).toBe(Object.prototype);
  expect(event.contexts).toBeUndefined();
});
