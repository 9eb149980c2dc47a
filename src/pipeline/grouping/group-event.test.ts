import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { digestFixture } from '../fixtures/digest-fixture.ts';
import {
  crashFixture,
  FOREIGN_FRAME,
  groupFixture,
  hashedValues,
  OWN_FRAME,
} from '../fixtures/group-fixture.ts';

const md5 = (...values: string[]) => createHash('md5').update(values.join('')).digest('hex');

describe('variants', () => {
  test('an exception is grouped by its type and stack, in the user’s own frames and in all', () => {
    const grouping = groupFixture(crashFixture([FOREIGN_FRAME, OWN_FRAME]));
    expect(hashedValues(grouping)).toEqual({
      app: ['CartError', 'shop.cart', 'pay'],
      system: ['CartError', 'web.server', 'serve', 'shop.cart', 'pay'],
    });
    expect(grouping.hashes).toEqual([
      md5('CartErrorshop.cartpay'),
      md5('CartErrorweb.serverserveshop.cartpay'),
    ]);
  });

  test('the stored hash is the primary one', () => {
    const event = digestFixture(crashFixture([FOREIGN_FRAME, OWN_FRAME]));
    expect(event.groupingHashes).toEqual(groupFixture(crashFixture([FOREIGN_FRAME, OWN_FRAME])).hashes);
    expect(event.groupingHash).toBe(event.groupingHashes[0]);
  });

  test('of equal hashes only app stays', () => {
    const grouping = groupFixture(crashFixture([OWN_FRAME]));
    expect(Object.keys(hashedValues(grouping))).toEqual(['app']);
    expect(grouping.variants.system).toMatchObject({ hash: null, contributes: false, values: [] });
    expect(grouping.hashes).toHaveLength(1);
  });

  test('without own frames app goes, since its type and value would put too much together', () => {
    expect(hashedValues(groupFixture(crashFixture([FOREIGN_FRAME])))).toEqual({
      system: ['CartError', 'web.server', 'serve'],
    });
  });

  test('without a stack type and value count, what varies replaced', () => {
    const grouping = groupFixture({ exception: { values: [{ type: 'CartError', value: 'no 17' }] } });
    expect(hashedValues(grouping)).toEqual({ app: ['CartError', 'no <int>'] });
    expect(grouping.variants).not.toHaveProperty('system');
  });

  test('with nothing at all, events are one issue', () => {
    const grouping = groupFixture({ exception: { values: [{ stacktrace: { frames: [{ lineno: 3 }] } }] } });
    expect(hashedValues(grouping)).toEqual({ fallback: [] });
    expect(grouping.hashes).toEqual([md5('')]);
  });
});

describe('fingerprints', () => {
  test('of the SDK decide alone, and the others are kept to be shown', () => {
    const { variants, hashes } = groupFixture({
      ...crashFixture([OWN_FRAME]),
      fingerprint: ['cart', '{{ error.type }}'],
    });
    expect(hashes).toEqual([md5('cartCartError')]);
    expect(variants).toMatchObject({
      app: { hash: null, contributes: false, tree: { id: 'app', contributes: false } },
      custom_client_fingerprint: { values: ['cart', 'CartError'] },
    });
  });

  test.each([[['{{ default }}']], [['{{default}}']], [[]], [null]])('%o is the default', (fingerprint) => {
    expect(groupFixture({ ...crashFixture([OWN_FRAME]), fingerprint })).toEqual(
      groupFixture(crashFixture([OWN_FRAME])),
    );
  });

  test('with {{ default }} add to every variant, in its place', () => {
    expect(
      hashedValues(
        groupFixture({
          ...crashFixture([FOREIGN_FRAME, OWN_FRAME]),
          fingerprint: ['a', '{{ default }}', 'b'],
        }),
      ),
    ).toEqual({
      app: ['a', 'CartError', 'shop.cart', 'pay', 'b'],
      system: ['a', 'CartError', 'web.server', 'serve', 'shop.cart', 'pay', 'b'],
    });
  });

  test('of a rule replace the SDK’s, and may give the title', () => {
    const fingerprint = 'error.type:CartError -> cart title="Cart: {{ error.value }}"';
    const payload = { ...crashFixture([OWN_FRAME]), fingerprint: ['sdk'] };
    const grouping = groupFixture(payload, { fingerprint });
    expect(hashedValues(grouping)).toEqual({ custom_server_fingerprint: ['cart'] });
    expect(grouping).toMatchObject({
      title: 'Cart: no 17',
      matchedRule: expect.stringContaining('CartError'),
    });
  });

  test('built in are marked as such', () => {
    const chunk = { type: 'ChunkLoadError', value: 'Loading chunk 7 failed' };
    const grouping = groupFixture({ platform: 'javascript', exception: { values: [chunk] } });
    expect(Object.keys(hashedValues(grouping))).toEqual(['built_in_fingerprint']);
  });
});

describe('other events', () => {
  test.each([
    [{ logentry: { message: 'hello %s', params: ['ada'] } }, ['hello %s']],
    [{ message: 'user 17 not found' }, ['user <int> not found']],
    [{ message: 'first\n\n  \nsecond\nthird' }, ['first\nsecond...']],
    [{ template: { filename: 'cart.html', context_line: '{% pay %}' } }, ['cart.html', '{% pay %}']],
    [{ 'sentry.interfaces.Template': { filename: 'cart.html' } }, ['cart.html']],
    [{ expectct: { hostname: 'shop.example' } }, ['expect-ct', 'shop.example']],
    [{ expectstaple: { hostname: 'shop.example' } }, ['expect-staple', 'shop.example']],
    [{ hpkp: { hostname: 'shop.example' } }, ['hpkp', 'shop.example']],
  ])('%j is grouped by %j', (payload, values) => {
    expect(hashedValues(groupFixture(payload))).toEqual({ default: values });
  });

  test.each([
    ['script-src', 'https://cdn.example:8443/a.js', 'script-src', ['script-src', 'cdn.example:8443']],
    ['script-src', 'self', "script-src 'unsafe-inline'", ['script-src', "'unsafe-inline'"]],
    ['script-src', '', "script-src 'unsafe-eval'", ['script-src', "'unsafe-eval'"]],
    ['style-src', "'self'", "style-src 'unsafe-inline'", ['style-src', "'self'"]],
    ['img-src', 'data', 'img-src', ['img-src', 'data:']],
    ['connect-src', 'wss://live.example/a', 'connect-src', ['connect-src', 'wss://live.example']],
  ])('a policy’s %s against %s', (directive, blocked, violated, values) => {
    const csp = { effective_directive: directive, blocked_uri: blocked, violated_directive: violated };
    expect(hashedValues(groupFixture({ csp, message: 'Blocked' }))).toEqual({ default: values });
  });

  test('an exception decides over threads, a stack trace and the message, which are kept to be shown', () => {
    const { variants } = groupFixture({
      ...crashFixture([OWN_FRAME]),
      message: 'x',
      threads: { values: [{ stacktrace: { frames: [FOREIGN_FRAME] } }] },
    });
    expect(variants.app?.tree?.values).toMatchObject([
      { id: 'exception', contributes: true },
      { id: 'threads', contributes: false },
    ]);
    expect(variants.default).toMatchObject({ hash: null, tree: { values: [{ id: 'message' }] } });
  });

  test('a checksum decides over everything', () => {
    const hash = md5('x');
    expect(groupFixture({ ...crashFixture([OWN_FRAME]), checksum: hash })).toMatchObject({
      hashes: [hash],
      variants: { checksum: { hash } },
    });
    expect(groupFixture({ message: 'x', checksum: 'cart' })).toMatchObject({
      hashes: [md5('cart')],
      variants: { hashed_checksum: { values: ['cart'] } },
    });
  });
});
