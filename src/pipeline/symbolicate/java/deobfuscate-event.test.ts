import { describe, expect, test } from 'vitest';
import { deobfuscateFrame } from './deobfuscate-event.ts';
import { packMapping } from './packed-mapping.ts';
import { type ObfuscationMapping, openMapping } from './parse-mapping.ts';

const MAPPING = `# compiler: R8
com.example.shop.Cart -> a.b:
# {"id":"sourceFile","fileName":"Cart.kt"}
    int total -> a
    1:3:void add(com.example.shop.Item):40:42 -> a
    4:4:int com.example.shop.Prices.round(int):12:12 -> a
    4:4:void charge():77 -> a
    java.lang.String title() -> b
    17:26:void onCreate(android.os.Bundle) -> c
    30:31:void com.example.shop.Views.bind() -> d
com.example.shop.Item -> a.c:
    void left() -> x
    void right(int) -> x
    17:26:void onCreate(android.os.Bundle) -> onCreate
`;
const parse = (text: string): ObfuscationMapping | null => {
  const packed = packMapping(Uint8Array.from(Buffer.from(text)));
  return packed && openMapping(packed);
};
const mapping = parse(MAPPING) as ObfuscationMapping;

describe('a frame of an obfuscated class', () => {
  test('gets its class, method, line and file', () => {
    expect(deobfuscateFrame({ module: 'a.b', function: 'a', lineno: 2 }, mapping)).toMatchObject([
      { module: 'com.example.shop.Cart', function: 'add', lineno: 41, filename: 'Cart.kt' },
    ]);
  });

  test('becomes one frame for each method that was put into another, oldest call first', () => {
    expect(deobfuscateFrame({ module: 'a.b', function: 'a', lineno: 4 }, mapping)).toMatchObject([
      { module: 'com.example.shop.Cart', function: 'charge', lineno: 77, filename: 'Cart.kt' },
      { module: 'com.example.shop.Prices', function: 'round', lineno: 12, filename: 'Prices.java' },
    ]);
  });

  test('without a line is named when only one method has its name', () => {
    expect(deobfuscateFrame({ module: 'a.b', function: 'b' }, mapping)).toMatchObject([
      { function: 'title' },
    ]);
    expect(deobfuscateFrame({ module: 'a.c', function: 'x' }, mapping)).toMatchObject([
      { module: 'com.example.shop.Item', function: 'x' },
    ]);
  });

  test('keeps its line where lines were not renumbered, also in a method of another class', () => {
    const onCreate = { module: 'a.b', function: 'c', lineno: 20 };
    expect(deobfuscateFrame(onCreate, mapping)).toMatchObject([{ function: 'onCreate', lineno: 20 }]);
    expect(deobfuscateFrame({ module: 'a.b', function: 'd', lineno: 31 }, mapping)).toMatchObject([
      { module: 'com.example.shop.Views', function: 'bind', lineno: 31, filename: 'Views.java' },
    ]);
  });

  test.each([
    ['Item.kt', 'Item.kt'],
    ['SourceFile', 'Item.java'],
    ['Unknown Source', 'Item.java'],
    ['r8-map-id-0a1b2c', 'Item.java'],
    [null, 'Item.java'],
  ])('whose file the mapping does not tell: %s is %s', (sent, filename) => {
    const frame = { module: 'a.c', function: 'onCreate', lineno: 20, filename: sent, abs_path: sent };
    expect(deobfuscateFrame(frame, mapping)).toMatchObject([{ lineno: 20, filename, abs_path: filename }]);
  });

  test('of a class that the mapping does not have stays', () => {
    expect(deobfuscateFrame({ module: 'java.util.List', function: 'get' }, mapping)).toBeNull();
  });
});

test('a text without a class is no mapping', () => {
  expect(parse('hello\nworld')).toBeNull();
});
