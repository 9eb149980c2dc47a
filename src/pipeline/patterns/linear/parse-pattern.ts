import { type CharSet, charSet, foldCase, invertRanges } from './char-set.ts';
import { PatternRefusal, PatternScanner } from './pattern-scanner.ts';
import { ClassReader } from './read-class.ts';

/** Where text is wrong, counted from 0, and why, in words. */
export type SyntaxProblem = { position: number; message: string };

export type PatternNode =
  | { kind: 'chars'; set: CharSet }
  | { kind: 'assert'; what: Assertion }
  | { kind: 'sequence'; parts: readonly PatternNode[] }
  | { kind: 'choice'; parts: readonly PatternNode[] }
  | { kind: 'repeat'; part: PatternNode; min: number; max: number; isLazy: boolean };

export type Assertion = 'text-start' | 'text-end' | 'line-start' | 'line-end' | 'boundary' | 'no-boundary';

export type PatternResult = { ok: true; node: PatternNode } | { ok: false; problem: SyntaxProblem };

/** Text of one regular expression. */
export const PATTERN_CHARS_MAX = 500;
/** Largest repetition count; repetitions are expanded, so it limits the program. */
const REPEAT_MAX = 250;
/** Nested groups. */
const NESTING_MAX = 30;

type Flags = { ignoreCase: boolean; dotAll: boolean; multiline: boolean };

/**
 * Reads a regular expression of the dialect that the reference uses (the Rust crate `regex`, as RE2): no look-around and
 * no back-references, so that matching takes time in proportion to the text.
 */
export function parsePattern(text: string): PatternResult {
  if (text.length > PATTERN_CHARS_MAX) {
    return {
      ok: false,
      problem: {
        position: PATTERN_CHARS_MAX,
        message: `A pattern can have at most ${PATTERN_CHARS_MAX} characters`,
      },
    };
  }
  try {
    return { ok: true, node: new PatternParser(text).read() };
  } catch (error) {
    if (error instanceof PatternRefusal) {
      return { ok: false, problem: { position: error.position, message: error.message } };
    }
    throw error;
  }
}

const NEWLINE: readonly (readonly [number, number])[] = [[0x0a, 0x0a]];

class PatternParser extends PatternScanner {
  read(): PatternNode {
    const node = this.#readChoice({ ignoreCase: false, dotAll: false, multiline: false }, 0);
    if (this.at < this.text.length) this.refuse(this.at, 'Unmatched ")"');
    return node;
  }

  #readChoice(outer: Flags, depth: number): PatternNode {
    const flags = { ...outer };
    const parts = [this.#readSequence(flags, depth)];
    while (this.take('|')) parts.push(this.#readSequence(flags, depth));
    return parts.length === 1 ? (parts[0] as PatternNode) : { kind: 'choice', parts };
  }

  #readSequence(flags: Flags, depth: number): PatternNode {
    const parts: PatternNode[] = [];
    while (this.at < this.text.length && !'|)'.includes(this.text[this.at] as string)) {
      const start = this.at;
      const part = this.#readAtom(flags, depth);
      if (part !== null) parts.push(this.#readRepeats(part, start));
    }
    return parts.length === 1 ? (parts[0] as PatternNode) : { kind: 'sequence', parts };
  }

  /** null for flags that hold from here on, such as `(?i)`. */
  #readAtom(flags: Flags, depth: number): PatternNode | null {
    const start = this.at;
    const char = this.text[this.at] as string;
    this.at += 1;
    switch (char) {
      case '(':
        return this.#readGroup(flags, depth, start);
      case '[':
        return this.#chars(new ClassReader(this, start).readBracket(), flags);
      case '\\':
        return this.#readEscape(start, flags);
      case '.':
        return { kind: 'chars', set: charSet(invertRanges(flags.dotAll ? [] : NEWLINE)) };
      case '^':
        return { kind: 'assert', what: flags.multiline ? 'line-start' : 'text-start' };
      case '$':
        return { kind: 'assert', what: flags.multiline ? 'line-end' : 'text-end' };
      case '*':
      case '+':
      case '?':
        return this.refuse(start, `Nothing to repeat before "${char}"`);
      default:
        return this.#chars(charSet([[char.charCodeAt(0), char.charCodeAt(0)]]), flags);
    }
  }

  #readGroup(flags: Flags, depth: number, start: number): PatternNode | null {
    if (depth >= NESTING_MAX) this.refuse(start, `Groups can be nested at most ${NESTING_MAX} levels deep`);
    let inner = flags;
    if (this.take('?')) {
      if (/^(?:=|!|<=|<!)/.test(this.text.slice(this.at))) {
        this.refuse(start, 'Lookahead and lookbehind are not supported');
      }
      const name = /^P?<[A-Za-z_]\w*>/.exec(this.text.slice(this.at));
      if (name !== null) this.at += name[0].length;
      else {
        inner = this.#readFlags(flags, start);
        if (this.take(')')) {
          Object.assign(flags, inner);
          return null;
        }
        if (!this.take(':')) this.refuse(this.at, 'Expected ":" or ")" after the flags');
      }
    }
    const node = this.#readChoice(inner, depth + 1);
    if (!this.take(')')) this.refuse(start, 'Unclosed parenthesis');
    return node;
  }

  #readFlags(flags: Flags, start: number): Flags {
    const next = { ...flags };
    let isOn = true;
    for (; this.at < this.text.length; this.at += 1) {
      const char = this.text[this.at];
      if (char === '-') isOn = false;
      else if (char === 'i') next.ignoreCase = isOn;
      else if (char === 's') next.dotAll = isOn;
      else if (char === 'm') next.multiline = isOn;
      else if (char === 'u') continue;
      else if (char === ')' || char === ':') return next;
      else this.refuse(this.at, `Unknown flag "${char}": use i, s, or m`);
    }
    this.refuse(start, 'Unclosed parenthesis');
  }

  #readEscape(start: number, flags: Flags): PatternNode {
    const char = this.text[this.at];
    if (char === undefined) this.refuse(start, 'A pattern cannot end with a lone backslash');
    const assertion = ASSERTIONS[char];
    if (assertion !== undefined) {
      this.at += 1;
      return { kind: 'assert', what: assertion };
    }
    if (/[1-9]/.test(char)) this.refuse(start, 'Backreferences are not supported');
    return this.#chars(new ClassReader(this, start).readEscaped(), flags);
  }

  #readRepeats(first: PatternNode, start: number): PatternNode {
    let node = first;
    let count = 0;
    for (;;) {
      const bounds = this.#readBounds();
      if (bounds === null) return node;
      count += 1;
      if (count > 1) this.refuse(start, 'Put parentheses around the part that is repeated twice');
      const isLazy = this.take('?');
      node = { kind: 'repeat', part: node, ...bounds, isLazy };
    }
  }

  #readBounds(): { min: number; max: number } | null {
    if (this.take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.take('?')) return { min: 0, max: 1 };
    if (this.text[this.at] !== '{') return null;
    const start = this.at;
    const match = /^\{(\d{1,6})(,(\d{1,6})?)?\}/.exec(this.text.slice(start));
    if (match === null) {
      this.refuse(start, 'Write repetitions as {3}, {3,}, or {3,5}; write \\{ for a literal brace');
    }
    const min = Number(match[1]);
    const max =
      match[2] === undefined ? min : match[3] === undefined ? Number.POSITIVE_INFINITY : Number(match[3]);
    if (max < min) this.refuse(start, 'The second number is smaller than the first');
    if (min > REPEAT_MAX || (max !== Number.POSITIVE_INFINITY && max > REPEAT_MAX)) {
      this.refuse(start, `A repetition count can be at most ${REPEAT_MAX}`);
    }
    this.at += match[0].length;
    return { min, max };
  }

  #chars(set: CharSet, flags: Flags): PatternNode {
    return { kind: 'chars', set: flags.ignoreCase ? foldCase(set) : set };
  }
}

const ASSERTIONS: Readonly<Record<string, Assertion>> = {
  b: 'boundary',
  B: 'no-boundary',
  A: 'text-start',
  z: 'text-end',
};
