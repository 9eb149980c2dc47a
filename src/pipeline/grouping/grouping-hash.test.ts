import { describe, expect, test } from 'vitest';
import { digestFixture } from '../fixtures/digest-fixture.ts';
import { javascriptBrowser } from '../fixtures/javascript-browser.ts';

const hashOf = (payload: unknown) => digestFixture(payload).groupingHash;

const crash = (frames: readonly object[], more = {}) => ({
  platform: 'python',
  exception: { type: 'E', value: 'v', stacktrace: { frames }, ...more },
});
const OWN = { module: 'app.views', function: 'pay', in_app: true };
const LIB = { module: 'django.core', function: 'inner', in_app: false };

describe('one issue', () => {
  test.each([
    ['another value', crash([LIB, OWN], { value: 'other' })],
    ['other lines', crash([LIB, { ...OWN, lineno: 99 }])],
    ['other library frames', crash([{ ...LIB, function: 'other' }, OWN])],
    ['a deeper recursion', crash([LIB, OWN, OWN, OWN])],
  ])('for %s', (_, payload) => {
    expect(hashOf(payload)).toBe(hashOf(crash([LIB, OWN])));
  });

  test('for the next build of a script', () => {
    const rebuilt = JSON.parse(
      JSON.stringify(javascriptBrowser).replaceAll('3f2a91bc', '77c0ffee').replaceAll('9f8e7d6c', 'aa11bb22'),
    );
    expect(rebuilt).not.toEqual(javascriptBrowser);
    expect(hashOf(rebuilt)).toBe(hashOf(javascriptBrowser));
  });

  test('for generated classes and lambdas of Java', () => {
    const withModule = (module: string, name: string) => ({
      platform: 'java',
      exception: { type: 'E', stacktrace: { frames: [{ module, function: name, in_app: true }] } },
    });
    expect(hashOf(withModule('com.acme.A$$EnhancerBySpringCGLIB$$1a2b3c4d', 'lambda$run$3'))).toBe(
      hashOf(withModule('com.acme.A$$EnhancerBySpringCGLIB$$99ff00aa', 'lambda$run$7')),
    );
  });

  test.each([
    ['User 17 not found', 'User 9183 not found'],
    ['Timeout after 30s on 10.0.0.1:80', 'Timeout after 5s on 192.168.0.7:8080'],
    ['No such file: /var/spool/a.eml', 'No such file: /tmp/b/c.txt'],
    ["Unknown key 'a'", "Unknown key 'b c'"],
    ['Job 7c1811ed-e98f-4c9c-a9f9-58c757ff494f failed', 'Job 00000000-e98f-4c9c-a9f9-58c757ff4940 failed'],
    ['at 2024-02-20T22:16:36Z by ada@example.com', 'at 2025-03-21T01:02:03Z by bob@example.org'],
    ['GET https://h/a?b=1 failed', 'GET https://other.example/c failed'],
    ['commit a93c7d2', 'commit 0011223344556677889900aabbccddeeff001122'],
  ])('for the messages «%s» and «%s»', (first, second) => {
    expect(hashOf({ message: first })).toBe(hashOf({ message: second }));
    expect(hashOf({ exception: { type: 'E', value: first } })).toBe(
      hashOf({ exception: { type: 'E', value: second } }),
    );
  });

  test('for one template with other parameters', () => {
    const log = (name: string) => ({ logentry: { message: 'hello %s', params: [name] } });
    expect(hashOf(log('ada'))).toBe(hashOf(log('bob')));
  });

  test('for a group with more members of the same kinds', () => {
    const group = (count: number) => ({
      exception: [
        ...Array.from({ length: count }, (_, index) => ({
          type: 'ValueError',
          value: `item ${index}`,
          mechanism: { exception_id: index + 1, parent_id: 0, source: `exceptions[${index}]` },
        })),
        {
          type: 'ExceptionGroup',
          value: 'several',
          mechanism: { exception_id: 0, is_exception_group: true },
        },
      ],
    });
    expect(hashOf(group(2))).toBe(hashOf(group(5)));
  });
});

describe('another issue', () => {
  test.each([
    ['another type', crash([LIB, OWN], { type: 'F' })],
    ['another function', crash([LIB, { ...OWN, function: 'refund' }])],
    ['another module', crash([LIB, { ...OWN, module: 'app.admin' }])],
    ['another cause', { platform: 'python', exception: [{ type: 'Cause' }, crash([LIB, OWN]).exception] }],
  ])('for %s', (_, payload) => {
    expect(hashOf(payload)).not.toBe(hashOf(crash([LIB, OWN])));
  });

  test('for another message', () => {
    expect(hashOf({ message: 'disk full' })).not.toBe(hashOf({ message: 'disk slow' }));
  });

  test('for other library frames when no frame is the user’s own', () => {
    expect(hashOf(crash([LIB]))).not.toBe(hashOf(crash([{ ...LIB, function: 'other' }])));
  });
});

describe('the SDK’s fingerprint', () => {
  test('decides alone', () => {
    const fingerprint = ['payments', 7];
    expect(hashOf({ message: 'a', fingerprint })).toBe(hashOf({ ...crash([OWN]), fingerprint }));
    expect(hashOf({ message: 'a', fingerprint })).not.toBe(
      hashOf({ message: 'a', fingerprint: ['payments', 8] }),
    );
  });

  test.each([[['{{ default }}']], [['{{default}}']], [[]], [null]])('of %o is the default', (fingerprint) => {
    expect(hashOf({ message: 'a', fingerprint })).toBe(hashOf({ message: 'a' }));
  });

  test('with {{ default }} splits the default', () => {
    const withPart = (message: string, part: string) =>
      hashOf({ message, fingerprint: ['{{ default }}', part] });
    expect(withPart('a', 'x')).toBe(withPart('a', 'x'));
    expect(withPart('a', 'x')).not.toBe(withPart('a', 'y'));
    expect(withPart('a', 'x')).not.toBe(withPart('b', 'x'));
    expect(withPart('a', 'x')).not.toBe(hashOf({ message: 'a' }));
  });

  test('has variables', () => {
    const fingerprint = ['{{ transaction }} {{ error.type }}'];
    const at = (transaction: string) => hashOf({ ...crash([OWN]), transaction, fingerprint });
    expect(at('GET /a')).toBe(at('GET /a'));
    expect(at('GET /a')).not.toBe(at('GET /b'));
  });
});
