import { describe, expect, test } from 'vitest';
import { isOwnSource, LINES_MAX, SourceText, sourceContext, sourceFileName } from './source-text.ts';

const textOf = (text: string) => new SourceText(Buffer.from(text));
const MAX = 1_000;

describe('lines', () => {
  test.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['a\r\nb\r\n', 2],
    ['\n\n', 2],
  ])('%j has %i', (text, count) => {
    expect(textOf(text).lineCount).toBe(count);
  });

  test('come without their ends', () => {
    expect(textOf('one\r\ntwo\n\nfour').lines(0, 4, MAX)).toEqual(['one', 'two', '', 'four']);
    expect(textOf('one\ntwo\n').lines(1, 2, MAX)).toEqual(['two']);
    expect(textOf('one').lines(1, 1, MAX)).toEqual([]);
  });

  test('are cut, and those of a source with very long ones too', () => {
    const long = 'ä'.repeat(60_000);
    expect(textOf(`ab\n${long}`).lines(0, 2, 3)).toEqual(['ab', 'äää']);
    expect(textOf('abcdef\n').lines(0, 1, 3)).toEqual(['abc']);
  });
});

test('it occupies its text and where its lines begin', () => {
  expect(textOf('one\ntwo').bytes).toBe(7 + 2 * 4);
});

test('what has more lines than any source has none', () => {
  const most = Buffer.alloc(LINES_MAX, '\n');
  expect(new SourceText(most).lineCount).toBe(LINES_MAX);
  expect(new SourceText(Buffer.concat([most, Buffer.from('a')])).lineCount).toBe(0);
});

describe('a line around a column', () => {
  const around = (text: string, column: number) => textOf(text).lineAround(0, column, 10, 4);

  test('is whole when it is short', () => {
    expect(around('abcdefghij', 3)).toBe('abcdefghij');
  });

  test('tells what is left out', () => {
    const alphabet = 'abcdefghijklmnopqrstuvwxyz';
    expect(around(alphabet, 0)).toBe('abcdefgh…');
    expect(around(alphabet, 10)).toBe('…ghijklmn…');
    expect(around(alphabet, 26)).toBe('…stuvwxyz');
  });

  test('of a very long one decodes only that part', () => {
    const long = `${'x'.repeat(50_000)}HERE${'y'.repeat(50_000)}`;
    expect(around(long, 50_000)).toBe('…xxxxHERE…');
    expect(around('ä'.repeat(60_000), 101)).toMatch(/^…ä+…$/);
  });
});

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
