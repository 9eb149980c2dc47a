import { toSharedMemory } from '../shared-memory.ts';

/** A mapping as it is kept: outside of the heap, in memory that threads share. */
export type PackedMapping = {
  /** In UTF-8. */
  readonly text: Uint8Array;
  /** Of each class its offsets in the text, see OFFSETS; by the bytes of the obfuscated names. */
  readonly classes: Uint32Array;
  /** What it occupies. */
  readonly bytes: number;
};

/** Where the lines about a class are. */
export type ClassPlace = { name: string; from: number; end: number };

/** Classes of one mapping. */
export const CLASSES_MAX = 500_000;
/** Begin and end of the obfuscated name, of the name, and of the lines about the class. */
const OFFSETS = 6;

const CLASS = /^\S+ -> \S+:\s*$/;
const ARROW = ' -> ';
const SPACE = 32;
const COLON = 58;
/** A space, a tab, `#`: lines of members and remarks. */
const NO_CLASS: ReadonlySet<number> = new Set([SPACE, 9, 35]);

/** null when there is no class at all: it is no such mapping. What comes after CLASSES_MAX classes is passed over. */
export function packMapping(text: Uint8Array<ArrayBuffer>): PackedMapping | null {
  const offsets: number[] = [];
  for (const { from, to, end } of linesOf(text, 0, text.length)) {
    if (from === to || NO_CLASS.has(text[from] ?? 0) || !CLASS.test(textOf(text, from, to))) continue;
    if (offsets.length > 0) offsets[offsets.length - 1] = from;
    if (offsets.length === OFFSETS * CLASSES_MAX) break;
    const nameEnd = text.indexOf(SPACE, from);
    const obfuscatedEnd = text.lastIndexOf(COLON, to - 1);
    offsets.push(nameEnd + ARROW.length, obfuscatedEnd, from, nameEnd, end, text.length);
  }
  if (offsets.length === 0) return null;
  const classes = sortByName(text, offsets);
  return {
    text: toSharedMemory(text),
    classes: toSharedMemory(classes),
    bytes: text.byteLength + classes.byteLength,
  };
}

/** null when the mapping does not have it; of several with the name the last one. */
export function findPlace({ text, classes }: PackedMapping, obfuscated: string): ClassPlace | null {
  const wanted = Buffer.from(obfuscated);
  const searched = Buffer.from(text.buffer, text.byteOffset, text.length);
  const offset = (at: number, which: number) => classes[at * OFFSETS + which] ?? 0;
  const compare = (at: number) => searched.compare(wanted, 0, wanted.length, offset(at, 0), offset(at, 1));
  let low = 0;
  let high = classes.length / OFFSETS;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(middle) <= 0) low = middle + 1;
    else high = middle;
  }
  const found = low - 1;
  if (found < 0 || compare(found) !== 0) return null;
  return {
    name: textOf(text, offset(found, 2), offset(found, 3)),
    from: offset(found, 4),
    end: offset(found, 5),
  };
}

function sortByName(text: Uint8Array<ArrayBuffer>, offsets: readonly number[]): Uint32Array<ArrayBuffer> {
  const names = Buffer.from(text.buffer, text.byteOffset, text.length);
  const start = (at: number) => offsets[at * OFFSETS] ?? 0;
  const end = (at: number) => offsets[at * OFFSETS + 1] ?? 0;
  const order = Uint32Array.from({ length: offsets.length / OFFSETS }, (_, at) => at).sort((a, b) =>
    names.compare(names, start(b), end(b), start(a), end(a)),
  );
  const classes = new Uint32Array(offsets.length);
  for (const [to, from] of order.entries()) {
    for (let which = 0; which < OFFSETS; which++) {
      classes[to * OFFSETS + which] = offsets[from * OFFSETS + which] ?? 0;
    }
  }
  return classes;
}

const NEWLINE = 10;
const RETURN = 13;
/** Longer lines of a mapping are skipped. */
const LINE_CHARS_MAX = 10_000;
const decoder = new TextDecoder();

/** From one place in the text to another. */
export const textOf = (text: Uint8Array, from: number, to: number): string =>
  decoder.decode(text.subarray(from, to));

/**
 * The lines of a range, without their ends. Those that are longer than any of a mapping are passed over: the patterns
 * only ever see short ones.
 */
export function* linesOf(
  text: Uint8Array,
  start: number,
  stop: number,
): Generator<{ from: number; to: number; end: number }> {
  for (let from = start; from < stop; ) {
    const newline = text.indexOf(NEWLINE, from);
    const end = newline === -1 || newline >= stop ? stop : newline + 1;
    let to = end;
    if (to > from && text[to - 1] === NEWLINE) to--;
    if (to > from && text[to - 1] === RETURN) to--;
    if (to - from <= LINE_CHARS_MAX) yield { from, to, end };
    from = end;
  }
}
