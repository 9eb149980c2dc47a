import { expect, test } from 'vitest';
import { testInFull } from '../../../../test/harness/is-full.ts';
import { CLASSES_MAX, findPlace, packMapping } from './packed-mapping.ts';

const pack = (text: string) => packMapping(Uint8Array.from(Buffer.from(text)));

test('a class is found by its obfuscated name, whatever the order of the text', () => {
  const names = Array.from({ length: 500 }, (_, index) => `p${(index * 7919) % 500}.Ä${index}`);
  const packed = pack(
    names.map((name, index) => `com.acme.C${index} -> ${name}:\n    int x -> y\n`).join(''),
  );
  if (!packed) throw new Error('There are classes');
  for (const [index, name] of names.entries()) {
    const place = findPlace(packed, name);
    expect(place?.name).toBe(`com.acme.C${index}`);
    expect(Buffer.from(packed.text.subarray(place?.from, place?.end)).toString()).toBe('    int x -> y\n');
  }
  for (const name of ['', 'p0', 'p0.Ä', 'zzz', `${names[0]}x`]) expect(findPlace(packed, name)).toBeNull();
});

test('of two classes with a name the last one counts', () => {
  const packed = pack('com.A -> a:\ncom.B -> b:\ncom.C -> a:\n');
  expect(packed && findPlace(packed, 'a')?.name).toBe('com.C');
});

test('all of it lies outside of the heap, in memory that other threads read as it is', () => {
  const packed = pack('com.A -> a:\n    int x -> y\n');
  if (!packed) throw new Error('There is a class');
  const sent = structuredClone(packed);
  expect(findPlace(sent, 'a')?.name).toBe('com.A');
  expect(sent.bytes).toBe(sent.text.byteLength + sent.classes.byteLength);
  packed.text.fill(0);
  expect(sent.text.every((byte) => byte === 0)).toBe(true);
});

testInFull('what comes after as many classes as are read is passed over', () => {
  const packed = pack(Array.from({ length: CLASSES_MAX + 2 }, (_, index) => `C -> c${index}:\n`).join(''));
  if (!packed) throw new Error('There are classes');
  const last = findPlace(packed, `c${CLASSES_MAX - 1}`);
  expect(last?.end).toBe(last?.from);
  expect(findPlace(packed, `c${CLASSES_MAX}`)).toBeNull();
});
