import { expect, test } from 'vitest';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import type { Frame, NormalizedEvent } from '#protocol/event.ts';
import { compileCodeownersPattern } from '../patterns/codeowners-pattern.ts';
import { compileOwnership, findOwners } from './find-owners.ts';

const NONE = { rules: '', codeowners: '', stackRoot: '', sourceRoot: '' };

function event(frames: readonly Frame[], more: Partial<NormalizedEvent> = {}) {
  const payload: NormalizedEvent = {
    event_id: 'a'.repeat(32),
    type: 'error',
    level: 'error',
    platform: 'javascript',
    timestamp: 0,
    received: 0,
    exception: { values: [{ type: 'E', stacktrace: { frames } }] },
    ...more,
  };
  return { payload, tags: [['environment', 'production'] as const] };
}

const matched = (texts: Partial<typeof NONE>, of: ReturnType<typeof event>) =>
  find(texts, of).matches.map(({ rule, value }) => [rule.line, value]);

const find = (texts: Partial<typeof NONE>, of: ReturnType<typeof event>, limit?: number, left = 1_000_000) =>
  findOwners(compileOwnership({ ...NONE, ...texts }), of, {
    ...(limit === undefined ? {} : { limit }),
    budget: { left },
  });

const CART = event(
  [
    { filename: 'node_modules/x.js', in_app: false },
    { filename: 'src/checkout/Cart.ts', in_app: true },
  ],
  {
    request: { url: 'https://shop.example/cart' },
    user: { email: 'ana@example.com', data: { plan: 'gold' } },
  },
);

test.each([
  ['path:src/checkout/* #a', 'src/checkout/Cart.ts'],
  ['SRC/*/cart.ts #a', 'src/checkout/Cart.ts'],
  ['path:*/x.js #a', 'node_modules/x.js'],
  ['url:*shop.example* #a', 'https://shop.example/cart'],
  ['tags.environment:prod* #a', 'production'],
  ['tags.user.email:*@example.com #a', 'ana@example.com'],
  ['tags.user.plan:gold #a', 'gold'],
  ['codeowners:/src/checkout/ #a', 'src/checkout/Cart.ts'],
])('%s fits', (rules, value) => {
  expect(matched({ rules }, CART)).toEqual([[1, value]]);
});

test.each(['path:checkout/* #a', 'url:cart #a', 'tags.release:* #a', 'module:* #a', 'codeowners:*.js #a'])(
  '%s does not fit',
  (rules) => {
    expect(matched({ rules }, CART)).toEqual([]);
  },
);

test('the last rule counts most, and ownership rules more than a CODEOWNERS file', () => {
  const texts = { rules: 'path:* #all\npath:src/* #src', codeowners: '* @all\n/src/ @src' };
  expect(find(texts, CART).matches.map(({ rule }) => rule.text)).toEqual([
    'path:src/* #src',
    'path:* #all',
    '/src/ @src',
    '* @all',
  ]);
  expect(find(texts, CART, 1).matches).toHaveLength(1);
});

test('a frame of the JVM is found by the folder of its package, a module by its name', () => {
  const frames = [{ filename: 'Cart.java', module: 'com.acme.shop.Cart' }];
  const java = event(frames, { platform: 'java' });
  expect(matched({ rules: 'path:com/acme/shop/* #a' }, java)).toEqual([[1, 'com/acme/shop/Cart.java']]);
  expect(matched({ rules: 'module:com.acme.* #a' }, java)).toEqual([[1, 'com.acme.shop.Cart']]);
});

test('paths of a stack trace are mapped into the repository', () => {
  const frames = [{ filename: 'app:///dist/cart.js' }, { abs_path: 'C:\\srv\\app\\lib\\pay.ts' }];
  const codeowners = '/web/cart.js @a\n/srv/app/lib/ @b';
  const texts = { codeowners, stackRoot: 'app:///dist/', sourceRoot: 'web' };
  expect(matched({ codeowners }, event(frames))).toEqual([]);
  expect(matched(texts, event(frames))).toEqual([[1, 'web/cart.js']]);
});

test('a message has the frames of its own stack trace, a crash those of its thread', () => {
  const stacktrace = { frames: [{ filename: 'a.ts' }] };
  const rules = 'a.ts #a';
  expect(matched({ rules }, event([], { exception: null, stacktrace }))).toEqual([[1, 'a.ts']]);
  const threads = { values: [{ id: 1 }, { id: 2, crashed: true, stacktrace }] };
  expect(matched({ rules }, event([], { exception: null, threads }))).toEqual([[1, 'a.ts']]);
});

test.each([
  ['*', ['a', 'a/b.ts'], []],
  ['*.js', ['x.js', 'a/b/x.JS'], ['x.jsx']],
  ['/build/logs/', ['build/logs/a', 'build/logs/a/b'], ['x/build/logs/a', 'build/logs']],
  ['docs/*', ['docs/a.md'], ['docs/a/b.md', 'x/docs/a.md']],
  ['apps/', ['apps/a', 'x/apps/b/c'], ['apps']],
  ['/docs', ['docs', 'docs/a'], ['x/docs']],
  ['**/logs', ['logs/a', 'a/b/logs', 'a/logs/x'], ['a/log']],
  ['a/**/b', ['a/b', 'a/x/y/b', 'a/x/b/c'], ['b', 'x/a/b']],
  ['src/app/[org]/page.tsx', ['src/app/[org]/page.tsx'], ['src/app/o/page.tsx']],
  ['s?c/x', ['src/x'], ['s/c/x']],
])('the CODEOWNERS pattern %s', (pattern, fits, fitsNot) => {
  const compiled = compileCodeownersPattern(pattern).pattern;
  for (const path of fits)
    expect([path, compiled?.matches(path.toLowerCase().split('/'))]).toEqual([path, true]);
  for (const path of fitsNot) expect([path, compiled?.matches(path.split('/'))]).toEqual([path, false]);
});

test('no pattern is slow, whatever the path is', () => {
  const { pattern } = compileCodeownersPattern(`${'**/a/'.repeat(30)}b`);
  const path = 'a/'.repeat(2_000).split('/');
  expect(withinMs(500, () => pattern?.matches(path))).toBe(false);
});

test('once the budget is spent no other rule is tried, and it is said', () => {
  const rules = 'src/* #last\n'.concat('x* #a\n'.repeat(10));
  expect(find({ rules }, CART)).toMatchObject({ isComplete: true, matches: [{ rule: { line: 1 } }] });
  expect(find({ rules }, CART, undefined, 300)).toEqual({ isComplete: false, matches: [] });
  const first = `${rules}src/checkout/* #first`;
  expect(find({ rules: first }, CART, undefined, 300)).toMatchObject({
    isComplete: false,
    matches: [{ rule: { line: 12 } }],
  });
});

test('the dearest rules on the longest paths end within their budget', () => {
  const frames = Array.from({ length: 100 }, (_, index) => ({ filename: `${index}${'a'.repeat(2_000)}` }));
  const rules = `path:*${'a?'.repeat(45)}b* #web\n`.repeat(900);
  const compiled = compileOwnership({ ...NONE, rules });
  expect(compiled.rules).toHaveLength(900);
  const budget = { left: 50_000_000 };
  expect(withinMs(3_000, () => findOwners(compiled, event(frames), { budget })).isComplete).toBe(false);
  expect(budget.left).toBeGreaterThanOrEqual(0);
});
