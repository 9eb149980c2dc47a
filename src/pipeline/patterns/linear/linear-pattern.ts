import { CharMatcher } from './char-set.ts';
import { type Assertion, type PatternNode, parsePattern, type SyntaxProblem } from './parse-pattern.ts';

/** From where to where text matches, in UTF-16 units; never empty. */
export type TextRange = readonly [start: number, end: number];

/** How much matching may still cost; shared by all patterns that one payload meets. */
export type MatchBudget = { steps: number };

export type LinearPattern = {
  /**
   * All matches, from left to right, without overlaps. null when the budget ran out before it was sure. Texts over
   * `WINDOW_CHARS` are searched in pieces that overlap by `OVERLAP_CHARS`: a longer match over a border may be missed.
   */
  findAll(text: string, budget: MatchBudget): TextRange[] | null;
};

export type LinearPatternResult =
  | { ok: true; pattern: LinearPattern }
  | { ok: false; problem: SyntaxProblem };

/** Instructions of one compiled pattern. */
export const INSTRUCTIONS_MAX = 1_000;
/** Nodes visited while one pattern is compiled. */
const VISITS_MAX = 20_000;
const WINDOW_CHARS = 16_384;
const OVERLAP_CHARS = 1_024;

/**
 * Compiles a regular expression for a matcher that visits each pair of instruction and position at most once, whatever
 * the expression is: its time is bounded by their product. What matches is what a backtracking matcher would find first.
 */
export function compileLinearPattern(text: string): LinearPatternResult {
  const parsed = parsePattern(text);
  if (!parsed.ok) return parsed;
  const program = new Program();
  if (!program.add(parsed.node) || !program.finish()) {
    return {
      ok: false,
      problem: { position: 0, message: 'This pattern is too large: use fewer repetitions' },
    };
  }
  return { ok: true, pattern: new Matcher(program) };
}

const CHARS = 0;
const SPLIT = 1;
const JUMP = 2;
const ASSERT = 3;
const MATCH = 4;

const ASSERTIONS: readonly Assertion[] = [
  'text-start',
  'text-end',
  'line-start',
  'line-end',
  'boundary',
  'no-boundary',
];

class Program {
  readonly ops: number[] = [];
  /** The class of a CHARS, the first way of a SPLIT, the aim of a JUMP, the kind of an ASSERT. */
  readonly first: number[] = [];
  /** The second way of a SPLIT. */
  readonly second: number[] = [];
  readonly classes: CharMatcher[] = [];

  #visits = 0;

  /** False when it grew too large. */
  add(node: PatternNode): boolean {
    this.#visits += 1;
    // Groups of nothing add no instructions, however often they are repeated.
    if (this.ops.length >= INSTRUCTIONS_MAX || this.#visits > VISITS_MAX) return false;
    switch (node.kind) {
      case 'chars':
        this.classes.push(new CharMatcher(node.set));
        return this.#emit(CHARS, this.classes.length - 1) >= 0;
      case 'assert':
        return this.#emit(ASSERT, ASSERTIONS.indexOf(node.what)) >= 0;
      case 'sequence':
        return node.parts.every((part) => this.add(part));
      case 'choice':
        return this.#addChoice(node.parts);
      case 'repeat':
        return this.#addRepeat(node.part, node.min, node.max, node.isLazy);
    }
  }

  finish(): boolean {
    return this.#emit(MATCH) < INSTRUCTIONS_MAX;
  }

  #emit(op: number, first = 0, second = 0): number {
    this.ops.push(op);
    this.first.push(first);
    this.second.push(second);
    return this.ops.length - 1;
  }

  #addChoice(parts: readonly PatternNode[]): boolean {
    const exits: number[] = [];
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1;
      const split = isLast ? -1 : this.#emit(SPLIT);
      if (split >= 0) this.first[split] = split + 1;
      if (!this.add(part)) return false;
      if (isLast) break;
      exits.push(this.#emit(JUMP));
      this.second[split] = this.ops.length;
    }
    for (const exit of exits) this.first[exit] = this.ops.length;
    return true;
  }

  #addRepeat(part: PatternNode, min: number, max: number, isLazy: boolean): boolean {
    for (let count = 0; count < min; count += 1) if (!this.add(part)) return false;
    if (max === Number.POSITIVE_INFINITY) {
      const split = this.#emit(SPLIT);
      if (!this.add(part)) return false;
      this.#emit(JUMP, split);
      this.#point(split, split + 1, this.ops.length, isLazy);
      return true;
    }
    const splits: number[] = [];
    for (let count = min; count < max; count += 1) {
      splits.push(this.#emit(SPLIT));
      if (!this.add(part)) return false;
    }
    for (const split of splits) this.#point(split, split + 1, this.ops.length, isLazy);
    return true;
  }

  #point(split: number, into: number, out: number, isLazy: boolean): void {
    this.first[split] = isLazy ? out : into;
    this.second[split] = isLazy ? into : out;
  }
}

class Matcher implements LinearPattern {
  readonly #ops: Uint8Array;
  readonly #first: Uint16Array;
  readonly #second: Uint16Array;
  readonly #classes: readonly CharMatcher[];
  /** Which units can begin a match; null when an empty text or a mere assertion may. */
  readonly #openers: Uint8Array | null;
  #visited = new Uint32Array(64);
  #stack = new Int32Array(64);

  constructor(program: Program) {
    this.#ops = Uint8Array.from(program.ops);
    this.#first = Uint16Array.from(program.first);
    this.#second = Uint16Array.from(program.second);
    this.#classes = program.classes;
    this.#openers = this.#findOpeners();
  }

  findAll(text: string, budget: MatchBudget): TextRange[] | null {
    const found: TextRange[] = [];
    for (let offset = 0; ; offset += WINDOW_CHARS - OVERLAP_CHARS) {
      const window = { from: offset, to: Math.min(text.length, offset + WINDOW_CHARS) };
      if (!this.#searchWindow(text, window, found, budget)) return null;
      if (window.to >= text.length) return found;
    }
  }

  /** False when the budget ran out. */
  #searchWindow(
    text: string,
    { from, to }: { from: number; to: number },
    found: TextRange[],
    budget: MatchBudget,
  ): boolean {
    const size = this.#ops.length;
    const words = ((to - from + 1) * size + 31) >>> 5;
    if (this.#visited.length < words) this.#visited = new Uint32Array(words);
    else this.#visited.fill(0, 0, words);
    budget.steps -= words >>> 3;
    let start = Math.max(from, found.at(-1)?.[1] ?? 0);
    while (start < to) {
      const openers = this.#openers;
      if (openers !== null) {
        while (start < to) {
          const unit = text.charCodeAt(start);
          if (unit >= 128 || openers[unit] === 1) break;
          start += 1;
        }
        if (start >= to) break;
      }
      const end = this.#match(text, from, to, start, budget);
      if (end === OUT_OF_BUDGET) return false;
      if (end > start) {
        const range = wholeSigns(text, start, end, found.at(-1)?.[1] ?? 0);
        found.push(range);
        this.#forget(end - from);
        start = range[1];
      } else start += 1;
    }
    return true;
  }

  /** Where the match that begins at `start` ends; `NO_MATCH` or `OUT_OF_BUDGET` else. */
  #match(text: string, from: number, to: number, start: number, budget: MatchBudget): number {
    const size = this.#ops.length;
    let depth = 0;
    this.#stack[depth++] = (start - from) * size;
    while (depth > 0) {
      const state = this.#stack[--depth] as number;
      const word = state >>> 5;
      const bit = 1 << (state & 31);
      if (((this.#visited[word] as number) & bit) !== 0) continue;
      this.#visited[word] = (this.#visited[word] as number) | bit;
      budget.steps -= 1;
      if (budget.steps < 0) return OUT_OF_BUDGET;
      const at = Math.floor(state / size);
      const instruction = state - at * size;
      if (depth + 2 > this.#stack.length) this.#growStack();
      switch (this.#ops[instruction]) {
        case CHARS: {
          const position = from + at;
          const matcher = this.#classes[this.#first[instruction] as number] as CharMatcher;
          if (position < to && matcher.has(text.charCodeAt(position))) {
            this.#stack[depth++] = state + size + 1;
          }
          break;
        }
        case SPLIT:
          this.#stack[depth++] = at * size + (this.#second[instruction] as number);
          this.#stack[depth++] = at * size + (this.#first[instruction] as number);
          break;
        case JUMP:
          this.#stack[depth++] = at * size + (this.#first[instruction] as number);
          break;
        case ASSERT:
          if (holds(ASSERTIONS[this.#first[instruction] as number] as Assertion, text, from + at)) {
            this.#stack[depth++] = state + 1;
          }
          break;
        case MATCH:
          return from + at;
      }
    }
    return NO_MATCH;
  }

  /** The way to a match led through states at its end that lead further; all others that were visited are dead ends. */
  #forget(at: number): void {
    const size = this.#ops.length;
    for (let state = at * size; state < (at + 1) * size; state += 1) {
      this.#visited[state >>> 5] = (this.#visited[state >>> 5] as number) & ~(1 << (state & 31));
    }
  }

  #growStack(): void {
    const larger = new Int32Array(this.#stack.length * 2);
    larger.set(this.#stack);
    this.#stack = larger;
  }

  #findOpeners(): Uint8Array | null {
    const openers = new Uint8Array(128);
    const seen = new Set<number>();
    const open = [0];
    while (open.length > 0) {
      const instruction = open.pop() as number;
      if (seen.has(instruction)) continue;
      seen.add(instruction);
      switch (this.#ops[instruction]) {
        case CHARS: {
          const matcher = this.#classes[this.#first[instruction] as number] as CharMatcher;
          for (let unit = 0; unit < 128; unit += 1) if (matcher.has(unit)) openers[unit] = 1;
          break;
        }
        case SPLIT:
          open.push(this.#first[instruction] as number, this.#second[instruction] as number);
          break;
        case JUMP:
          open.push(this.#first[instruction] as number);
          break;
        case ASSERT:
          open.push(instruction + 1);
          break;
        default:
          return null;
      }
    }
    return openers;
  }
}

const NO_MATCH = -1;
const OUT_OF_BUDGET = -2;

function holds(what: Assertion, text: string, at: number): boolean {
  switch (what) {
    case 'text-start':
      return at === 0;
    case 'text-end':
      return at === text.length;
    case 'line-start':
      return at === 0 || text[at - 1] === '\n';
    case 'line-end':
      return at === text.length || text[at] === '\n';
    case 'boundary':
      return isWord(text, at - 1) !== isWord(text, at);
    case 'no-boundary':
      return isWord(text, at - 1) === isWord(text, at);
  }
}

function isWord(text: string, at: number): boolean {
  const unit = at < 0 ? 0 : text.charCodeAt(at);
  return (
    (unit >= 0x30 && unit <= 0x39) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    unit === 0x5f ||
    (unit >= 0x61 && unit <= 0x7a)
  );
}

/** A sign outside of the basic plane is two units: neither is left behind alone. */
function wholeSigns(text: string, start: number, end: number, earliest: number): TextRange {
  const splitsStart = start > 0 && isLow(text.charCodeAt(start)) && isHigh(text.charCodeAt(start - 1));
  const splitsEnd = end < text.length && isHigh(text.charCodeAt(end - 1)) && isLow(text.charCodeAt(end));
  return [splitsStart ? Math.max(earliest, start - 1) : start, splitsEnd ? end + 1 : end];
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
