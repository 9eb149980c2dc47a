import { describe, expect, test } from 'vitest';
import { RowBinaryWriter } from './row-binary.ts';

/** What a reader of the format sees: a length in groups of seven bits, then so many bytes. */
function readStrings(bytes: Buffer): string[] {
  const texts: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      length += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    texts.push(bytes.toString('utf8', at, at + length));
    at += length;
  }
  return texts;
}

describe('a string', () => {
  const lengths = [0, 1, 42, 43, 127, 128, 5_461, 5_462, 16_383, 16_384, 700_000, 2_097_152];
  test.each(lengths)('of %i characters is read back, whether of one byte each or of three', (length) => {
    const texts = ['a'.repeat(length), '€'.repeat(length), 'end'];
    const writer = new RowBinaryWriter(0);
    for (const text of texts) writer.string(text);
    expect(readStrings(writer.bytes()).map((text) => text.length)).toEqual([length, length, 3]);
    expect(readStrings(writer.bytes())).toEqual(texts);
  });

  test('keeps characters beyond the basic plane, and replaces half of one', () => {
    const writer = new RowBinaryWriter(0);
    writer.string('😀');
    writer.string('\ud83d!');
    expect(readStrings(writer.bytes())).toEqual(['😀', '\ufffd!']);
  });
});

test.each([0, 1, -1, 255, 4_294_967_296, -4_294_967_297, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])(
  '%i is written as 64 bits',
  (value) => {
    const writer = new RowBinaryWriter(0);
    writer.int64(value);
    expect(writer.bytes().readBigInt64LE()).toBe(BigInt(value));
  },
);

test('32 hexadecimal digits are a number of 128 bits', () => {
  const writer = new RowBinaryWriter(0);
  writer.hex128('0123456789abcdef00000000000000ff');
  expect(writer.bytes().readBigUInt64LE(8)).toBe(0x0123456789abcdefn);
  expect(writer.bytes().readBigUInt64LE(0)).toBe(0xffn);
  expect(() => writer.hex128('0123')).toThrow('32 hexadecimal digits');
});

test('a text of another length than its column is refused: what follows would be read wrongly', () => {
  const writer = new RowBinaryWriter(0);
  expect(() => writer.fixedString('abc', 4)).toThrow('does not have 4 characters');
});
