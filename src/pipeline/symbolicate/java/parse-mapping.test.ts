import { expect, test } from 'vitest';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import { packMapping } from './packed-mapping.ts';
import { openMapping } from './parse-mapping.ts';

const parse = (text: string) => {
  const packed = packMapping(Uint8Array.from(Buffer.from(text)));
  return packed && openMapping(packed);
};

test('lines may end as on Windows, and remarks may stand anywhere', () => {
  const mapping = parse(
    '# compiler: R8\r\ncom.acme.Cart -> a:\r\n# a remark\r\n    int size -> a\r\n    1:2:int size():7:8 -> b\r\n',
  );
  expect(mapping?.findClass('a')).toMatchObject({ name: 'com.acme.Cart', sourceFile: null });
  expect(mapping?.findClass('a')?.members().get('b')).toEqual([
    { className: null, name: 'size', from: 1, to: 2, originalFrom: 7, originalTo: 8 },
  ]);
});

test('a line longer than any of a mapping is passed over', () => {
  const mapping = parse(`com.acme.Cart -> a:\n    void ${'x'.repeat(20_000)}() -> b\n    void c() -> d\n`);
  expect([...(mapping?.findClass('a')?.members().keys() ?? [])]).toEqual(['d']);
});

test('a hostile line costs as much as a long one', () => {
  const line = `    1:1:int ${'a.'.repeat(4_900)}a -> b`;
  const mapping = parse(`com.acme.Cart -> a:\n${`${line}\n`.repeat(200)}`);
  withinMs(1_000, () => mapping?.findClass('a'));
});

test('a hostile remark costs as much as a long one', () => {
  const line = `#{${'"id":"sourceFile"'.repeat(580)}x`;
  const mapping = parse(`com.acme.Cart -> a:\n${`${line}\n`.repeat(1_000)}`);
  expect(withinMs(1_000, () => mapping?.findClass('a')?.sourceFile)).toBeNull();
});

test.each([
  ['# {"id":"sourceFile","fileName":"Cart.kt"}', 'Cart.kt'],
  ['#{ "fileName" : "Cart.kt", "id" : "sourceFile" }', 'Cart.kt'],
  ['# "id":"sourceFile" "fileName":"Cart.kt"', null],
  ['# {"id":"com.android.tools.r8.synthesized","fileName":"Cart.kt"}', null],
])('the file of a class: %s', (remark, sourceFile) => {
  expect(parse(`com.acme.Cart -> a:\n${remark}\n`)?.findClass('a')?.sourceFile).toBe(sourceFile);
});

test('it says what it occupies', () => {
  expect(parse('com.acme.Cart -> a:\n')?.bytes).toBeGreaterThan(20);
});
