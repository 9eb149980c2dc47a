import { describe, expect, test } from 'vitest';
import { isOwnSource, sourceContext, sourceFileName } from './source-file.ts';
import { SourceText } from './source-text.ts';

test.each([
  ['../src/cart.ts', '../src/cart.ts'],
  ['webpack:///./src/cart.ts', './src/cart.ts'],
  ['webpack://shop/./src/cart.ts', './src/cart.ts'],
  ['webpack://@acme/shop/./src/cart.ts', './src/cart.ts'],
  ['webpack://_N_E/./app/page.tsx?1a2b', './app/page.tsx?1a2b'],
  ['webpack:///webpack/bootstrap', 'webpack/bootstrap'],
  ['webpack:///./~/react/index.js', '~/react/index.js'],
])('%s is called %s', (name, fileName) => {
  expect(sourceFileName(name)).toBe(fileName);
});

test.each([
  ['https://example.com/src/cart.ts', '../src/cart.ts', null],
  ['https://example.com/node_modules/react/index.js', '../node_modules/react/index.js', false],
  ['webpack://shop/./src/cart.ts', './src/cart.ts', true],
  ['webpack:///webpack/bootstrap', 'webpack/bootstrap', false],
  ['webpack:///./~/react/index.js', '~/react/index.js', false],
  ['app:///src/cart.ts', '../src/cart.ts', true],
])('%s is the code of the user: %s, %s', (address, fileName, isOwn) => {
  expect(isOwnSource(address, fileName)).toBe(isOwn);
});

describe('lines around a frame', () => {
  const text = new SourceText(Buffer.from(Array.from({ length: 9 }, (_, line) => `${line}`).join('\n')));

  test('end with the text', () => {
    expect(sourceContext(text, 1, 0)).toEqual({ before: ['0'], line: '1', after: ['2', '3', '4', '5', '6'] });
    expect(sourceContext(text, 8, 0)).toEqual({ before: ['3', '4', '5', '6', '7'], line: '8', after: [] });
  });

  test('are none where the text has no such line', () => {
    expect(sourceContext(text, 9, 0)).toBeNull();
    expect(sourceContext(new SourceText(Buffer.alloc(0)), 0, 0)).toBeNull();
  });
});
