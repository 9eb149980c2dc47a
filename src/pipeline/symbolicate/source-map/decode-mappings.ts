import type { SegmentWriter } from './segment-writer.ts';
import { InvalidSourceMap, NONE, POSITION_MAX } from './source-map.ts';

/** What the numbers of a mappings text may name, and what stands before it in an index map. */
export type MappingScope = {
  sourceCount: number;
  nameCount: number;
  /** Added to every index of a source or name. */
  sourceOffset: number;
  nameOffset: number;
  /** Added to the columns of the first line. */
  columnOffset: number;
};

const SEMICOLON = 59;
const COMMA = 44;
const DIGIT_BITS = 5;
const CONTINUES = 1 << DIGIT_BITS;
const DIGIT_MASK = CONTINUES - 1;
const NO_DIGIT = 255;

const DIGITS = new Uint8Array(128).fill(NO_DIGIT);
for (const [value, char] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries()) {
  DIGITS[char.charCodeAt(0)] = value;
}

/**
 * Decodes a mappings text into the writer, beginning in its present line.
 * Throws InvalidSourceMap, naming the generated line, for what the format forbids.
 * Source: https://tc39.es/ecma426/#sec-DecodeSourceMapMappings
 */
export function decodeMappings(mappings: string, scope: MappingScope, writer: SegmentWriter): void {
  const firstLine = writer.line;
  const end = mappings.length;
  let at = 0;
  let column = 0;
  let source = 0;
  let line = 0;
  let originalColumn = 0;
  let name = 0;
  while (at < end) {
    const code = mappings.charCodeAt(at);
    if (code === SEMICOLON) {
      writer.endLine();
      column = 0;
      at++;
      continue;
    }
    if (code === COMMA) throw fail('a segment is empty');

    const offset = writer.line === firstLine ? scope.columnOffset : 0;
    column += readNumber();
    checkRange(column, POSITION_MAX - offset, 'generated column');
    const generated = column + offset;
    if (isAtEnd()) {
      writer.add(generated, NONE, 0, 0, NONE);
      endSegment();
      continue;
    }
    source += readNumber();
    checkIndex(source, scope.sourceCount, 'source');
    requireMore();
    line += readNumber();
    checkRange(line, POSITION_MAX, 'original line');
    requireMore();
    originalColumn += readNumber();
    checkRange(originalColumn, POSITION_MAX, 'original column');
    if (isAtEnd()) {
      writer.add(generated, source + scope.sourceOffset, line, originalColumn, NONE);
      endSegment();
      continue;
    }
    name += readNumber();
    checkIndex(name, scope.nameCount, 'name');
    if (!isAtEnd()) throw fail('a segment has more than five numbers');
    writer.add(generated, source + scope.sourceOffset, line, originalColumn, name + scope.nameOffset);
    endSegment();
  }

  /** A comma stands between two segments and nowhere else. */
  function endSegment(): void {
    if (at >= end || mappings.charCodeAt(at) !== COMMA) return;
    at++;
    if (isAtEnd()) throw fail('a segment is empty');
  }

  function isAtEnd(): boolean {
    if (at >= end) return true;
    const code = mappings.charCodeAt(at);
    return code === COMMA || code === SEMICOLON;
  }

  function requireMore(): void {
    if (isAtEnd()) throw fail('a segment has two or three numbers; one, four, or five are allowed');
  }

  /** A number in base 64, its lowest bit the sign. */
  function readNumber(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      if (at >= end) throw fail('it ends in the middle of a number');
      const code = mappings.charCodeAt(at);
      const digit = code < 128 ? (DIGITS[code] ?? NO_DIGIT) : NO_DIGIT;
      if (digit === NO_DIGIT) throw fail(`"${mappings.charAt(at)}" is not a base64 digit`);
      at++;
      // Any count of digits that add nothing may follow: past the 32 bits the factor itself would overflow.
      const bits = digit & DIGIT_MASK;
      if (bits !== 0) value += bits * factor;
      if (value > 2 * POSITION_MAX + 1) throw fail('a number has more than 32 bits');
      if ((digit & CONTINUES) === 0) break;
      factor *= CONTINUES;
    }
    const magnitude = Math.floor(value / 2);
    if (value % 2 === 0) return magnitude;
    // Minus zero stands for the lowest number.
    return magnitude === 0 ? -POSITION_MAX - 1 : -magnitude;
  }

  function checkRange(value: number, max: number, what: string): void {
    if (value < 0 || value > max) throw fail(`a ${what} is out of range`);
  }

  function checkIndex(value: number, count: number, what: string): void {
    if (value < 0 || value >= count) throw fail(`a segment refers to ${what} ${value} of ${count}`);
  }

  function fail(why: string): InvalidSourceMap {
    return new InvalidSourceMap(`Its mappings are invalid on generated line ${writer.line + 1}: ${why}`);
  }
}
