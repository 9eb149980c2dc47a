import { describe, expect, test } from 'vitest';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import { digestFixture } from '../fixtures/digest-fixture.ts';
import { compileIngestRules } from '../ingest-rules.ts';
import type { ItemContext } from '../item.ts';

const UNSCRUBBED = compileIngestRules({
  ...DEFAULT_INGEST_SETTINGS,
  privacy: {
    defaultRules: false,
    scrubIpAddresses: false,
    sensitiveFields: [],
    safeFields: [],
    advancedRules: [],
    textAttachments: 'keep',
    recordings: 'keep',
  },
});

/** As it is stored: without the fields that are absent. */
const normalize = (payload: unknown, context: Partial<ItemContext> = {}) =>
  JSON.parse(JSON.stringify(digestFixture(payload, { rules: UNSCRUBBED, ...context }).payload));

const problemsOf = (event: { errors?: { name: string }[] }) => (event.errors ?? []).map(({ name }) => name);

describe('systems and runtimes told in one line', () => {
  test.each([
    ['Microsoft Windows 10.0.18363', { name: 'Windows', version: '10', build: '18363' }],
    ['Windows 11 (10.0.22000) 64bit', { name: 'Windows', version: '11', build: '22000' }],
    ['Microsoft Windows NT 6.1.7601 Service Pack 1', { name: 'Windows', version: '7', build: '7601' }],
    ['Microsoft Windows 5.0.2195', { name: 'Windows', version: '5.0.2195', build: '2195' }],
    ['Mac OS X 10.14.2 (18C54)', { name: 'macOS', version: '10.14.2', build: '18C54' }],
    ['iOS 17.5.1', { name: 'iOS', version: '17.5.1' }],
    ['Linux 6.1.0 Debian 12.4', { name: 'Debian', version: '12.4', kernel_version: '6.1.0' }],
    ['Darwin 17.4.0 Darwin Kernel Version 17.4.0: root:xnu', { name: 'Darwin', kernel_version: '17.4.0' }],
    ['Linux 5.4.0-42-generic #46-Ubuntu', { name: 'Linux', kernel_version: '5.4.0' }],
    ['Android OS 11 / API-30 (RP1A/2107)', { name: 'Android', version: '11' }],
    ['Nintendo Switch', { name: 'Nintendo OS' }],
  ])('%s', (raw_description, expected) => {
    const { os } = normalize({ message: 'm', contexts: { os: { raw_description } } }).contexts;
    expect(os).toEqual({ raw_description, ...expected });
  });

  test('what the SDK says itself wins', () => {
    const os = { name: 'Ubuntu', raw_description: 'Linux 5.4.0' };
    expect(normalize({ message: 'm', contexts: { os } }).contexts.os).toEqual(os);
    const built = { raw_description: 'Microsoft Windows 10.0.18363', build: 'mine' };
    expect(normalize({ message: 'm', contexts: { os: built } }).contexts.os).toMatchObject({ build: 'mine' });
  });

  test.each([
    [{ raw_description: '.NET Core 3.1.5' }, { name: '.NET Core', version: '3.1.5' }],
    [{ raw_description: 'Mono 5.10.1.47 (tarball Tue)' }, { name: 'Mono', version: '5.10.1.47' }],
    [
      { raw_description: '.NET Framework 4.7.3056.0', build: '461814' },
      { name: '.NET Framework', version: '4.7.2' },
    ],
    [{ name: '.NET Framework', version: '4.0', build: '528040' }, { version: '4.8' }],
    [{ raw_description: 'Mystery' }, { raw_description: 'Mystery' }],
  ])('the runtime %j', (runtime, expected) => {
    expect(normalize({ message: 'm', contexts: { runtime } }).contexts.runtime).toMatchObject(expected);
  });
});

test('an answer of another server has its body, type and cookies read', () => {
  const response = {
    data: '{"a":1}',
    headers: { 'Content-Type': 'text/plain; x', 'Set-Cookie': 'a=1; b=2' },
  };
  expect(normalize({ message: 'm', contexts: { response } }).contexts.response).toEqual({
    data: { a: 1 },
    inferred_content_type: 'application/json',
    cookies: { a: '1', b: '2' },
    headers: { 'Content-Type': 'text/plain; x' },
  });
  const text = { data: 'plain', headers: [['content-type', 'text/plain; charset=utf-8']] };
  expect(normalize({ message: 'm', contexts: { response: text } }).contexts.response).toMatchObject({
    data: 'plain',
    inferred_content_type: 'text/plain',
  });
});

test('a trace without status has an unknown one', () => {
  const trace = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) };
  expect(normalize({ message: 'm', contexts: { trace } }).contexts.trace.status).toBe('unknown');
  expect(
    normalize({ message: 'm', contexts: { trace: { ...trace, status: 'ok' } } }).contexts.trace.status,
  ).toBe('ok');
});

describe('names of versions', () => {
  test.each([
    ['release', 'x'.repeat(251)],
    ['release', 'latest'],
    ['release', '..'],
    ['release', 'a\nb'],
    ['dist', 'x'.repeat(65)],
    ['dist', 'a\tb'],
    ['environment', 'x'.repeat(65)],
    ['environment', 'a/b'],
  ])('%s %j is none, with a reason', (key, value) => {
    const event = normalize({ message: 'm', [key]: value });
    expect(event).not.toHaveProperty(key);
    expect(problemsOf(event)).toEqual([key]);
  });

  test.each([
    ['release', `  org/app@1.0.0+${'x'.repeat(230)}  `],
    ['dist', 'x'.repeat(64)],
    ['environment', 'x'.repeat(64)],
    ['release', 7],
  ])('%s %j is one', (key, value) => {
    const event = normalize({ message: 'm', [key]: value });
    expect(event[key]).toBe(String(value).trim());
    expect(problemsOf(event)).toEqual([]);
  });
});

describe('tags', () => {
  test('the first of equal keys wins', () => {
    const event = normalize({
      message: 'm',
      tags: [
        ['a', '1'],
        ['b', '2'],
        ['a', '3'],
      ],
    });
    expect(event.tags).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
  });

  test('a tag named environment never stays beside the field', () => {
    expect(
      normalize({ message: 'm', environment: 'prod', tags: { environment: 'old', x: 'y' } }),
    ).toMatchObject({
      environment: 'prod',
      tags: [['x', 'y']],
    });
  });

  test('the field site of old SDKs is one', () => {
    expect(normalize({ message: 'm', site: 'blog', tags: { x: 'y' } }).tags).toEqual([
      ['x', 'y'],
      ['site', 'blog'],
    ]);
    expect(normalize({ message: 'm', site: 'blog', tags: { site: 'shop' } }).tags).toEqual([
      ['site', 'blog'],
    ]);
  });
});

describe('where a user is', () => {
  const lookUpGeo = (ip: string) => (ip === '203.0.113.9' ? { country_code: 'AT', city: 'Vienna' } : null);

  test('is looked up by the address that is stored, and only when it was not sent', () => {
    const located = (payload: object, context: Partial<ItemContext> = {}) =>
      normalize({ message: 'm', ...payload }, { lookUpGeo, ...context }).user;
    expect(located({ user: { ip_address: '203.0.113.9' } }).geo).toEqual({
      country_code: 'AT',
      city: 'Vienna',
    });
    expect(located({ user: { ip_address: '{{auto}}' } }, { clientIp: '203.0.113.9' }).geo).toMatchObject({
      city: 'Vienna',
    });
    expect(located({ user: { ip_address: '203.0.113.9', geo: { city: 'Linz' } } }).geo).toEqual({
      city: 'Linz',
    });
    expect(located({ user: { ip_address: '198.51.100.1' } })).not.toHaveProperty('geo');
    // A server's own address is not its user's.
    expect(located({ platform: 'python', user: { id: '1' } }, { clientIp: '203.0.113.9' })).toEqual({
      id: '1',
    });
  });

  test('an address that the request was told to fill in is filled in', () => {
    const request = { env: { REMOTE_ADDR: '{{auto}}', X: 'y' } };
    expect(normalize({ message: 'm', request }, { clientIp: '203.0.113.9' })).toMatchObject({
      request: { env: { REMOTE_ADDR: '203.0.113.9', X: 'y' } },
      user: { ip_address: '203.0.113.9' },
    });
  });
});

test('requests: a cut address ends in dots, a method has three letters, the body tells its type', () => {
  const request = {
    url: 'https://h/path…',
    method: 'go',
    data: '{"a":1}',
    headers: { 'content-type': 'text/plain' },
  };
  const event = normalize({ message: 'm', request });
  expect(event.request).toMatchObject({
    url: 'https://h/path...',
    data: { a: 1 },
    inferred_content_type: 'application/json',
  });
  expect(event.request).not.toHaveProperty('method');
  expect(problemsOf(event)).toEqual(['request.method']);
});

test('a password in the form that was posted is found by its name', () => {
  const request = { data: 'user=ana&password=hunter2' };
  const { payload } = digestFixture({ message: 'm', request });
  expect(payload.request?.data).toEqual({ user: 'ana', password: '[Filtered]' });
});

describe('whatever has the wrong type becomes null, with its path and a reason', () => {
  const WRONG = { wrong: [1] };
  const frame = (fields: object) => ({
    exception: { type: 'E', stacktrace: { frames: [{ function: 'f', ...fields }] } },
  });
  const FRAME = 'exception.values.0.stacktrace.frames.0';
  test.each<[string, object]>([
    ...[
      'release',
      'dist',
      'environment',
      'transaction',
      'logger',
      'culprit',
      'server_name',
      'platform',
      'level',
      'event_id',
      'timestamp',
      'site',
    ].map((key): [string, object] => [key, { [key]: WRONG }]),
    ...[
      'user',
      'request',
      'contexts',
      'extra',
      'sdk',
      'modules',
      'debug_meta',
      'tags',
      'threads',
      'breadcrumbs',
    ].map((key): [string, object] => [key, { [key]: 7 }]),
    ['logentry', { logentry: { params: [1] } }],
    ['fingerprint.0', { fingerprint: [WRONG] }],
    ['contexts.os', { contexts: { os: 7 } }],
    ['tags.0', { tags: [7] }],
    ['tags', { tags: { a: WRONG } }],
    ['user.id', { user: { id: WRONG } }],
    ['user.email', { user: { email: WRONG } }],
    ['user.ip_address', { user: { ip_address: 'home' } }],
    ['user.geo', { user: { geo: 7 } }],
    ['user.geo.city', { user: { geo: { city: WRONG } } }],
    ['request.method', { request: { method: '!' } }],
    ['request.headers', { request: { headers: 7 } }],
    ['request.env', { request: { env: 'x' } }],
    ['breadcrumbs.values.0', { breadcrumbs: [7] }],
    ['breadcrumbs.values.0.timestamp', { breadcrumbs: [{ message: 'x', timestamp: 'soon' }] }],
    ['breadcrumbs.values.0.level', { breadcrumbs: [{ message: 'x', level: 'loud' }] }],
    ['breadcrumbs.values.0.event_id', { breadcrumbs: [{ message: 'x', event_id: 'short' }] }],
    ['sdk.name', { sdk: { name: WRONG } }],
    ['sdk.packages.0', { sdk: { name: 'x', packages: [7] } }],
    ['sdk.integrations', { sdk: { name: 'x', integrations: 7 } }],
    ['threads.values.0', { threads: [7] }],
    ['exception.values.0', { exception: [7] }],
    ['exception.values.0.mechanism', { exception: [{ type: 'E', mechanism: 7 }] }],
    [
      'exception.values.0.mechanism.handled',
      { exception: [{ type: 'E', mechanism: { type: 'x', handled: 'maybe' } }] },
    ],
    ['exception.values.0.stacktrace', { exception: [{ type: 'E', stacktrace: 7 }] }],
    [`${FRAME}.lineno`, frame({ lineno: 'ten' })],
    [`${FRAME}.in_app`, frame({ in_app: 'maybe' })],
    [`${FRAME}.filename`, frame({ filename: WRONG })],
    [`${FRAME}.context_line`, frame({ context_line: WRONG })],
    [`${FRAME}.pre_context`, frame({ pre_context: 'x' })],
    [`${FRAME}.vars`, frame({ vars: 7 })],
  ])('%s', (name, payload) => {
    const event = normalize({ message: 'kept', ...payload });
    expect(event.errors).toContainEqual(
      expect.objectContaining({
        name: expect.stringMatching(new RegExp(`^${name.replaceAll('.', '\\.')}(\\.|$)`)),
        reason: expect.any(String),
        value: expect.anything(),
      }),
    );
    expect(event.logentry).toEqual({ formatted: 'kept' });
  });
});
