import { describe, expect, test } from 'vitest';
import { candidateAddresses, isScriptAddress, resolveAddress } from './script-address.ts';

test.each([
  ['https://example.com/app.js', true],
  ['app:///index.android.bundle', true],
  ['/srv/dist/server.mjs', true],
  ['C:\\srv\\server.js', true],
  ['webpack-internal:///./a.js', false],
  ['node:internal/modules', false],
  ['<anonymous>', false],
  ['[native code]', false],
  ['internal/modules/cjs/loader.js', false],
  ['data:text/javascript,a()', false],
  ['blob:https://example.com/app.js', false],
  ['native:a.js', false],
  ['node_modules/x.js', true],
  ['data-table.js', true],
  ['internal-tools.js', true],
  ['native-bridge.js', true],
  ['blobs.js', true],
  ['/usr/lib/python3/site.py', false],
])('%s: %s', (address, isScript) => {
  expect(isScriptAddress(address)).toBe(isScript);
});

describe('the names under which a script may have been uploaded', () => {
  test('are the most exact first', () => {
    expect(candidateAddresses('https://example.com/a/app.js?v=1#x')).toEqual([
      'https://example.com/a/app.js?v=1',
      'https://example.com/a/app.js',
      '~/a/app.js?v=1',
      '~/a/app.js',
    ]);
    expect(candidateAddresses('~/app.js')).toEqual(['~/app.js']);
    expect(candidateAddresses('app:///main.bundle')).toEqual(['app:///main.bundle', '~/main.bundle']);
  });
});

test.each([
  ['https://example.com/a/app.js', '../src/x.ts', 'https://example.com/src/x.ts'],
  ['https://example.com/a/app.js', '../../../src/x.ts', 'https://example.com/src/x.ts'],
  ['https://example.com/a/app.js?v=/b/', 'x.ts', 'https://example.com/a/x.ts'],
  ['https://example.com/a/app.js', '/x.ts', 'https://example.com/x.ts'],
  ['https://example.com/a/app.js', '~/x.ts', 'https://example.com/x.ts'],
  ['https://example.com/a/app.js', '//cdn.example.com/x.ts', 'https://cdn.example.com/x.ts'],
  ['https://example.com/a/app.js', 'webpack:///./x.ts', 'webpack:///./x.ts'],
  ['~/a/app.js', './app.js.map', '~/a/app.js.map'],
  ['/srv/dist/app.js', '../src/x.ts', '/srv/src/x.ts'],
])('beside %s, %s is %s', (base, name, address) => {
  expect(resolveAddress(base, name)).toBe(address);
});
