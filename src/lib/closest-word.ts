/** Longer words are compared with nothing: what is looked up here are names. */
const CHARACTERS_MAX = 64;

/** The candidate within one typo per three characters, at most three, ignoring case. null when none is that close. */
export function closestWord(word: string, candidates: readonly string[]): string | null {
  const written = word.toLowerCase();
  if (written.length > CHARACTERS_MAX) return null;
  const slipsMax = Math.min(3, Math.floor(written.length / 3));
  let closest: { candidate: string; slips: number } | null = null;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - written.length) > slipsMax) continue;
    const slips = countSlips(written, candidate.toLowerCase());
    if (slips <= slipsMax && slips < (closest?.slips ?? Number.POSITIVE_INFINITY)) {
      closest = { candidate, slips };
    }
  }
  return closest?.candidate ?? null;
}

/** Characters left out, added, mistaken or swapped with their neighbour. */
function countSlips(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        ...(row > 1 && column > 1 && isSwapped ? [(beforeLast[column - 2] ?? 0) + 1] : []),
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? 0;
}
