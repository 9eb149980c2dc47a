import type { SyntaxProblem } from '../patterns/linear/parse-pattern.ts';
import { findValueType, VALUE_TYPE_NAMES } from './value-types.ts';

/** One part of a dotted path. Keys are in lower case: selectors do not tell cases apart. */
export type SelectorItem =
  | { kind: 'type'; bit: number }
  | { kind: 'key'; key: string }
  | { kind: 'index'; index: number }
  | { kind: 'any' }
  | { kind: 'deep' };

export type Selector =
  | { kind: 'path'; items: readonly SelectorItem[] }
  | { kind: 'and' | 'or'; parts: readonly Selector[] }
  | { kind: 'not'; part: Selector };

export type SelectorResult = { ok: true; selector: Selector } | { ok: false; problem: SyntaxProblem };

/** Text of one selector. */
export const SELECTOR_CHARS_MAX = 1_000;
/** Parts of one selector. */
const ITEMS_MAX = 200;
/** Nested parentheses of one selector. */
const NESTING_MAX = 20;

/**
 * Reads a selector: paths such as `$error.value` or `extra.'my key'.**`, joined with `&&`, `||`, `!` and parentheses.
 * The grammar is that of relay-pii/src/selector.pest; `&`, `|` and `~` are accepted for the doubled signs as there.
 */
export function parseSelector(text: string): SelectorResult {
  const old = OLD_NAMES[text.trim()];
  if (old !== undefined) return { ok: true, selector: old };
  if (text.length > SELECTOR_CHARS_MAX) {
    return fail(SELECTOR_CHARS_MAX, `A selector can have at most ${SELECTOR_CHARS_MAX} characters`);
  }
  const parser = new Parser(text);
  try {
    const selector = parser.readOr(0);
    parser.expectEnd();
    return { ok: true, selector };
  } catch (error) {
    if (error instanceof Refusal) return fail(error.position, error.message);
    throw error;
  }
}

const fail = (position: number, message: string): SelectorResult => ({
  ok: false,
  problem: { position, message },
});

const typePath = (name: string): Selector => ({
  kind: 'path',
  items: [{ kind: 'type', bit: findValueType(name) ?? 0 }],
});

/** Selectors of the time before paths. */
const OLD_NAMES: Readonly<Record<string, Selector>> = Object.assign(Object.create(null), {
  freeform: typePath('string'),
  email: typePath('string'),
  sensitive: typePath('string'),
  text: typePath('string'),
  databag: typePath('object'),
  container: typePath('object'),
});

class Refusal extends Error {
  readonly position: number;
  constructor(position: number, message: string) {
    super(message);
    this.position = position;
  }
}

class Parser {
  readonly #text: string;
  #at = 0;
  #items = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readOr(depth: number): Selector {
    return this.#readJoined('or', '|', () => this.#readJoined('and', '&', () => this.#readNot(depth)));
  }

  expectEnd(): void {
    this.#skipSpaces();
    if (this.#at < this.#text.length) this.#refuse(`Unexpected "${this.#peek()}"`);
  }

  #readJoined(kind: 'and' | 'or', sign: string, readPart: () => Selector): Selector {
    const parts = [readPart()];
    while (this.#takeSign(sign)) parts.push(readPart());
    return parts.length === 1 ? (parts[0] as Selector) : { kind, parts };
  }

  #takeSign(sign: string): boolean {
    this.#skipSpaces();
    if (this.#peek() !== sign) return false;
    this.#at += this.#text[this.#at + 1] === sign ? 2 : 1;
    return true;
  }

  #readNot(depth: number): Selector {
    this.#skipSpaces();
    if (this.#peek() !== '!' && this.#peek() !== '~') return this.#readGroup(depth);
    this.#at += 1;
    this.#skipSpaces();
    if (this.#peek() === '!' || this.#peek() === '~') {
      this.#refuse('Only one negation is allowed: put the rest in parentheses');
    }
    return { kind: 'not', part: this.#readGroup(depth) };
  }

  #readGroup(depth: number): Selector {
    this.#skipSpaces();
    if (this.#peek() !== '(') return this.#readPath();
    if (depth >= NESTING_MAX) this.#refuse(`Parentheses can be nested at most ${NESTING_MAX} levels deep`);
    const open = this.#at;
    this.#at += 1;
    const inner = this.readOr(depth + 1);
    this.#skipSpaces();
    if (this.#peek() !== ')') {
      if (this.#at < this.#text.length) this.#refuse(`Expected ")" or an operator, found "${this.#peek()}"`);
      throw new Refusal(open, 'Unclosed parenthesis');
    }
    this.#at += 1;
    return inner;
  }

  #readPath(): Selector {
    const start = this.#at;
    const items = [this.#readItem(false)];
    for (;;) {
      this.#skipSpaces();
      if (this.#peek() !== '.') break;
      this.#at += 1;
      const deepBefore = items.some((item) => item.kind === 'deep');
      this.#skipSpaces();
      items.push(this.#readItem(deepBefore));
    }
    if (items.length === 1 && items[0]?.kind === 'any') {
      throw new Refusal(start, '"*" alone selects nothing: use "**" or add a name before it');
    }
    return { kind: 'path', items };
  }

  #readItem(deepBefore: boolean): SelectorItem {
    const start = this.#at;
    this.#items += 1;
    if (this.#items > ITEMS_MAX) this.#refuse(`A selector can have at most ${ITEMS_MAX} parts`);
    const char = this.#peek();
    if (char === '') this.#refuse('Expected a name at the end');
    if (char === "'") return { kind: 'key', key: this.#readQuoted() };
    if (char === '$') return this.#readType();
    if (this.#take(/\*\*?/y) !== null) {
      if (this.#at - start === 1) return { kind: 'any' };
      if (deepBefore) throw new Refusal(start, '"**" can appear only once in a path');
      return { kind: 'deep' };
    }
    const digits = this.#take(/[0-9]{1,9}(?![\w-])/y);
    if (digits !== null) return { kind: 'index', index: Number(digits) };
    const key = this.#take(/[A-Za-z_][\w-]*/y);
    if (key !== null) return { kind: 'key', key: key.toLowerCase() };
    return this.#refuse(`Expected a name, found "${char}": put names with other characters in 'quotes'`);
  }

  #readType(): SelectorItem {
    const start = this.#at;
    const name = this.#take(/\$[a-z_]+/y);
    if (name === null) throw new Refusal(start, 'Expected a value type after "$"');
    const bit = findValueType(name.slice(1));
    if (bit === null) {
      throw new Refusal(start, `Unknown value type ${name}: use one of $${VALUE_TYPE_NAMES.join(', $')}`);
    }
    return { kind: 'type', bit };
  }

  #readQuoted(): string {
    const start = this.#at;
    const quoted = this.#take(/'(?:[^']|'')+'/y);
    if (quoted === null) {
      const isEmpty = this.#text.startsWith("''", start);
      throw new Refusal(start, isEmpty ? 'A quoted name cannot be empty' : 'Unclosed quote');
    }
    return quoted.slice(1, -1).replaceAll("''", "'").toLowerCase();
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return null;
    this.#at += match[0].length;
    return match[0];
  }

  #skipSpaces(): void {
    while (this.#text[this.#at] === ' ') this.#at += 1;
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }

  #refuse(message: string): never {
    throw new Refusal(this.#at, message);
  }
}
