import { type CharSet, charSet, DIGITS, invertRanges, SPACE, UNIT_MAX, WORD } from './char-set.ts';
import type { PatternScanner } from './pattern-scanner.ts';

/** Reads `[a-z\d]` and escapes such as `\w` out of a pattern, from where the scanner is. */
export class ClassReader {
  readonly #scanner: PatternScanner;
  readonly #start: number;

  constructor(scanner: PatternScanner, start: number) {
    this.#scanner = scanner;
    this.#start = start;
  }

  /** Behind `[`. */
  readBracket(): CharSet {
    const isNegated = this.#scanner.take('^');
    const ranges: (readonly [number, number])[] = [];
    const properties: CharSet['properties'][number][] = [];
    for (let isFirst = true; ; isFirst = false) {
      const char = this.#scanner.text[this.#scanner.at];
      if (char === undefined) this.#scanner.refuse(this.#start, 'Unclosed bracket');
      if (char === ']' && !isFirst) break;
      const item = this.#readItem();
      properties.push(...item.properties);
      const high = this.#readRangeEnd(item);
      if (high === null) ranges.push(...item.ranges);
      else ranges.push([singleOf(item) as number, high]);
    }
    this.#scanner.at += 1;
    return charSet(ranges, properties, isNegated);
  }

  /** Behind a backslash outside of brackets. */
  readEscaped(): CharSet {
    return this.#readEscape();
  }

  #readItem(): CharSet {
    const posix = /^\[:(\^?)([a-z]+):\]/.exec(
      this.#scanner.text.slice(this.#scanner.at, this.#scanner.at + 16),
    );
    if (posix !== null) {
      const ranges = POSIX[posix[2] as string];
      if (ranges === undefined) this.#scanner.refuse(this.#scanner.at, `Unknown character class ${posix[0]}`);
      this.#scanner.at += posix[0].length;
      return charSet(posix[1] === '^' ? invertRanges(ranges) : ranges);
    }
    if (this.#scanner.take('\\')) return this.#readEscape();
    const unit = this.#scanner.text.charCodeAt(this.#scanner.at);
    if (unit >= 0xd800 && unit <= 0xdfff) {
      this.#scanner.refuse(
        this.#scanner.at,
        'Characters such as emoji are not supported in brackets: write (?:…|…)',
      );
    }
    this.#scanner.at += 1;
    return charSet([[unit, unit]]);
  }

  /** null when no range follows: `-` at the end stands for itself. */
  #readRangeEnd(item: CharSet): number | null {
    if (this.#scanner.text[this.#scanner.at] !== '-' || this.#scanner.text[this.#scanner.at + 1] === ']')
      return null;
    const dash = this.#scanner.at;
    const low = singleOf(item);
    if (low === null)
      this.#scanner.refuse(dash, 'A class cannot start a range: write \\- for a literal hyphen');
    this.#scanner.at += 1;
    if (this.#scanner.text[this.#scanner.at] === undefined)
      this.#scanner.refuse(this.#start, 'Unclosed bracket');
    const high = singleOf(this.#readItem());
    if (high === null)
      this.#scanner.refuse(dash, 'A class cannot end a range: write \\- for a literal hyphen');
    if (high < low) this.#scanner.refuse(dash, 'The range is out of order');
    return high;
  }

  #readEscape(): CharSet {
    const at = this.#scanner.at;
    const char = this.#scanner.text[at];
    if (char === undefined) this.#scanner.refuse(at - 1, 'A pattern cannot end with a lone backslash');
    this.#scanner.at += 1;
    const known = CLASSES[char];
    if (known !== undefined) return charSet(known);
    const control = CONTROLS[char];
    if (control !== undefined) return charSet([[control, control]]);
    if (char === 'p' || char === 'P') return this.#readProperty(at);
    if (char === 'x' || char === 'u' || char === 'U') return this.#readCode(at);
    if (/[A-Za-z0-9]/.test(char)) this.#scanner.refuse(at - 1, `Unknown escape "\\${char}"`);
    const unit = char.charCodeAt(0);
    return charSet([[unit, unit]]);
  }

  #readProperty(at: number): CharSet {
    const match = /^[pP](?:([A-Z])|\{(\^?)([A-Za-z_=]{1,40})\})/.exec(this.#scanner.text.slice(at));
    const name = match?.[1] ?? match?.[3];
    if (match === null || name === undefined) this.#scanner.refuse(at - 1, 'Write properties as \\p{L}');
    let test: RegExp;
    try {
      test = new RegExp(`^\\p{${name}}$`, 'u');
    } catch {
      this.#scanner.refuse(at - 1, `Unknown property "${name}"`);
    }
    this.#scanner.at = at + match[0].length;
    const isNegated = (match[0][0] === 'P') !== (match[2] === '^');
    return charSet([], [{ test, isNegated }]);
  }

  #readCode(at: number): CharSet {
    const match = /^(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|[xuU]\{([0-9A-Fa-f]{1,6})\})/.exec(
      this.#scanner.text.slice(at),
    );
    const unit = Number.parseInt(match?.[1] ?? match?.[2] ?? match?.[3] ?? '', 16);
    if (match === null || Number.isNaN(unit))
      this.#scanner.refuse(at - 1, 'Write character codes as \\x41 or \\u{41}');
    if (unit > UNIT_MAX) this.#scanner.refuse(at - 1, 'Character codes above FFFF are not supported');
    this.#scanner.at = at + match[0].length;
    return charSet([[unit, unit]]);
  }
}

/** The unit of a set that holds exactly one. */
function singleOf({ ranges, properties }: CharSet): number | null {
  const [range] = ranges;
  if (ranges.length !== 1 || properties.length > 0 || range === undefined) return null;
  return range[0] === range[1] ? range[0] : null;
}

const CLASSES: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  d: DIGITS,
  D: invertRanges(DIGITS),
  w: WORD,
  W: invertRanges(WORD),
  s: SPACE,
  S: invertRanges(SPACE),
};

const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, a: 7 };

const UPPER: readonly [number, number] = [0x41, 0x5a];
const LOWER: readonly [number, number] = [0x61, 0x7a];
const DIGIT: readonly [number, number] = [0x30, 0x39];

const POSIX: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  alnum: [DIGIT, UPPER, LOWER],
  alpha: [UPPER, LOWER],
  ascii: [[0, 0x7f]],
  blank: [
    [9, 9],
    [0x20, 0x20],
  ],
  cntrl: [
    [0, 0x1f],
    [0x7f, 0x7f],
  ],
  digit: [DIGIT],
  graph: [[0x21, 0x7e]],
  lower: [LOWER],
  print: [[0x20, 0x7e]],
  punct: [
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
  ],
  space: [
    [9, 13],
    [0x20, 0x20],
  ],
  upper: [UPPER],
  word: WORD,
  xdigit: [DIGIT, [0x41, 0x46], [0x61, 0x66]],
};
