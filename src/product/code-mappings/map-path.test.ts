import { expect, test } from 'vitest';
import { commonEnd, mapPath, pathsOf, plainPath } from './map-path.ts';

const map = (stackRoot: string, sourceRoot: string, ...paths: string[]) =>
  mapPath([{ stackRoot, sourceRoot }], paths)?.path ?? null;

test.each([
  ['src/', 'web/src/', 'src/cart.ts', 'web/src/cart.ts'],
  ['src/', 'web/src', 'src/cart.ts', 'web/src/cart.ts'],
  ['src', 'web/src', 'src/cart.ts', 'web/src/cart.ts'],
  ['/app/', '', '/app/src/cart.ts', 'src/cart.ts'],
  ['', '', './src/cart.ts', 'src/cart.ts'],
  ['', 'web', 'webpack:///./src/cart.ts', 'web/src/cart.ts'],
  ['', '', 'https://example.com/src/cart.ts?v=1', 'src/cart.ts'],
  ['app:///', 'mobile/', 'app:///src/cart.ts', 'mobile/src/cart.ts'],
  ['../../', '', '../../src/cart.ts', 'src/cart.ts'],
  ['C:/build/', '', 'C:\\build\\src\\Cart.cs', 'src/Cart.cs'],
  ['src', '', 'srcs/cart.ts', null],
  ['lib/', '', 'src/cart.ts', null],
  ['src/', '', 'src/../../etc/passwd', null],
  ['src/', '../..', 'src/cart.ts', null],
  ['src/', '', 'src/', null],
])('%s → %s: %s', (stackRoot, sourceRoot, path, expected) => {
  expect(map(stackRoot, sourceRoot, path)).toBe(expected);
});

test('the longest root that fits counts', () => {
  const mappings = [
    { stackRoot: '', sourceRoot: 'all', id: 1 },
    { stackRoot: 'src/admin/', sourceRoot: 'admin', id: 2 },
    { stackRoot: 'src/', sourceRoot: 'web', id: 3 },
  ];
  expect(mapPath(mappings, ['src/admin/a.ts'])).toMatchObject({ mapping: { id: 2 }, path: 'admin/a.ts' });
  expect(mapPath(mappings, ['src/a.ts'])).toMatchObject({ mapping: { id: 3 }, path: 'web/a.ts' });
  expect(mapPath(mappings, ['a.ts'])).toMatchObject({ mapping: { id: 1 }, path: 'all/a.ts' });
});

test('a frame names its file in several ways', () => {
  expect(pathsOf({ filename: 'src/a.ts', abs_path: 'webpack:///src/a.ts' })).toEqual([
    'src/a.ts',
    'webpack:///src/a.ts',
  ]);
  expect(pathsOf({ module: 'com.shop.Cart', filename: 'Cart.java' })).toEqual([
    'com/shop/Cart.java',
    'Cart.java',
  ]);
  expect(pathsOf({ filename: '<anonymous>', abs_path: '[native code]' })).toEqual([]);
  expect(pathsOf({ filename: './node_modules/react/index.js' })).toEqual([]);
});

test('plain paths, and what they have in common', () => {
  expect(plainPath('/srv//web/./src/x/../cart.ts')).toBe('srv/web/src/cart.ts');
  expect(plainPath('../../src/cart.ts')).toBe('src/cart.ts');
  expect(commonEnd('srv/web/src/cart.ts', 'packages/src/cart.ts')).toBe(2);
  expect(commonEnd('cart.ts', 'src/cart.ts')).toBe(1);
  expect(commonEnd('a.ts', 'b.ts')).toBe(0);
});
