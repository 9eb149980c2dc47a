const NEWLINE = 10;
const RETURN = 13;
const LINE_CHARS_MAX = 10_000;
const decoder = new TextDecoder();

/** From one place in the text to another. */
export const textOf = (text: Uint8Array, from: number, to: number): string =>
  decoder.decode(text.subarray(from, to));

/**
 * The lines of a stretch, without their ends. Those that are longer than any of a mapping are passed over: the patterns
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
