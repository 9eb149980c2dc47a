import { describe, expect, test } from 'vitest';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import { digestFixture } from '../fixtures/digest-fixture.ts';
import { SECRET_SAMPLES } from '../fixtures/secret-samples.ts';
import { compileScrubber } from './scrubber.ts';

const X = 'q7Zk-planted-Xv93';
const scrubber = compileScrubber(DEFAULT_INGEST_SETTINGS.privacy);
const digested = (payload: object): string => JSON.stringify(digestFixture(payload));

describe('every element of a list', () => {
  test.each<[string, unknown]>([
    ['the first of two', [`--password=${X}`, 'run']],
    ['a header, the first of two', [`Authorization: Bearer ${X}`, 'obj']],
    ['both of two', [`password=${X}`, `token=${X}`]],
    ['the first of three', [`--password=${X}`, 'a', 'b']],
    ['the value behind an argument', ['mysql', '--password', X, '--verbose']],
    [
      'a pair in a list of pairs',
      [
        ['a', 'b'],
        [`password=${X}`, 'x'],
      ],
    ],
    [
      'a pair with a third element',
      [
        ['a', 'b'],
        ['c', 'd', `password=${X}`],
      ],
    ],
    ['a pair as an object', [{ name: 'Authorization', value: X }]],
    ['deep', { a: [{ b: [`api_key=${X}`, { c: 1 }] }] }],
  ])('%s', (_name, value) => {
    for (const payload of [
      { extra: { argv: value } },
      { contexts: { own: { value } } },
      { breadcrumbs: { values: [{ category: 'console', data: { arguments: value } }] } },
      { request: { url: 'https://example.com', data: value } },
      { logentry: { message: 'm', params: Array.isArray(value) ? value : [value] } },
      { user: { id: '1', data: { value } } },
      {
        exception: { values: [{ type: 'E', stacktrace: { frames: [{ function: 'f', vars: { value } }] } }] },
      },
    ]) {
      expect(digested(payload)).not.toContain(X);
    }
  });

  test('a name stays readable beside what it hides', () => {
    expect(digestFixture({ extra: { pair: ['password', X] } }).payload.extra).toEqual({
      pair: ['password', '[Filtered]'],
    });
  });
});

describe('both halves of a header, and names of fields', () => {
  test.each([`token=${X}`, `Authorization: Bearer ${X}`, `password=${X}`])('%s', (name) => {
    expect(digested({ request: { url: 'https://e.com', headers: [[name, 'x']] } })).not.toContain(X);
    expect(digested({ extra: { [name]: 'x', other: { [name]: 1 } }, tags: { [name]: 'x' } })).not.toContain(
      X,
    );
  });

  test('fields that come to the same name stay apart', () => {
    const { github, githubApp } = SECRET_SAMPLES;
    const { extra } = digestFixture({ extra: { [github]: 1, [githubApp]: 2 } }).payload;
    expect(Object.values(extra ?? {}).sort()).toEqual([1, 2]);
  });
});

test.each(['url', 'transaction', 'logger', 'release', 'server_name', 'culprit'])(
  'parameters of an address in %s',
  (field) => {
    const address = `https://e.com/a?page=2&token=${X}#access_token=${X}`;
    const payload = field === 'url' ? { request: { url: address } } : { [field]: address };
    expect(digested(payload)).not.toContain(X);
  },
);

describe('names and values in any text', () => {
  test.each([
    `login failed: password=${X} user=ann`,
    `curl -H 'Authorization: Token ${X}' https://e.com`,
    `body was {"user":"ann","password":"${X}"}`,
    `body was {\\"user\\":\\"ann\\",\\"password\\": \\"${X}\\"}`,
    `{'api_key': '${X}'}`,
    `Server=db;User Id=ann;Password=${X};`,
    `AccountKey=${X}/abc;EndpointSuffix=core.windows.net`,
    `postgres://app:${X}!$*@db.internal/shop`,
    `Cookie: theme=dark; JSESSIONID=${X}`,
    `GET /a;jsessionid=${X}?b=1`,
    `connect.sid=${X}; laravel_session=${X}; ASP.NET_SessionId=${X}`,
    `?X-Amz-Credential=${X}&X-Amz-Signature=${X}`,
  ])('%s', (text) => {
    expect(digested({ message: text })).not.toContain(X);
    expect(digested({ exception: { values: [{ type: 'E', value: text }] } })).not.toContain(X);
    const log = scrubber.scrubRecord('log', { body: text, attributes: { 'http.url': text, note: text } });
    expect(JSON.stringify(log)).not.toContain(X);
  });

  test.each([
    'SyntaxError: Unexpected token: punc (})',
    'Invalid token: expected 4 parts',
    'password: must have at least 8 characters',
    'Cannot read properties of undefined (reading "token")',
    'author=Jane title=Emma',
    'used prompt_tokens=4096 of max_tokens=8192',
    'if (token == other) return token => token',
    'The session 4711 of customer 8f14e45fceea167a5a36dedd4bea2543 ended',
  ])('%s stays', (text) => {
    expect(digestFixture({ message: text }).message).toBe(text);
  });
});

test.each(Object.entries(SECRET_SAMPLES))('%s is hidden wherever it stands', (_name, secret) => {
  const frame = {
    function: secret,
    module: secret,
    filename: `src/${secret}`,
    abs_path: `https://e.com/${secret}/app.js`,
    context_line: `const key = '${secret}';`,
    pre_context: [secret],
    vars: { [secret]: 1 },
  };
  const payload = {
    message: secret,
    logger: secret,
    server_name: secret,
    fingerprint: [secret, 'b'],
    modules: { [secret]: secret },
    sdk: {
      name: 'sentry.x',
      version: '1',
      integrations: [secret],
      packages: [{ name: secret, version: secret }],
    },
    tags: { a: secret },
    user: { id: secret, username: secret },
    contexts: { trace: { op: secret, origin: secret }, [secret]: { a: secret }, os: { name: secret } },
    exception: { values: [{ type: secret, module: secret, value: secret, stacktrace: { frames: [frame] } }] },
    threads: { values: [{ id: 1, name: secret }] },
    breadcrumbs: { values: [{ type: secret, category: secret, message: secret, data: { a: secret } }] },
    _meta: { extra: { a: { '': { val: secret, rem: [[secret, 'x']] } } } },
  };
  expect(digested(payload)).not.toContain(secret.slice(-12));
});

test('a safe field keeps what it holds', () => {
  const safe = compileScrubber({
    ...DEFAULT_INGEST_SETTINGS.privacy,
    safeFields: ['extra.sample', 'logger'],
  });
  const event = digestFixture({ message: 'm' }).payload;
  const extra = { sample: SECRET_SAMPLES.github };
  expect(safe.scrubEvent({ ...event, logger: SECRET_SAMPLES.github, extra })).toMatchObject({
    logger: SECRET_SAMPLES.github,
    extra,
  });
});
