/** `left` and `right` stand on one side only. */
export type ComparedLine<Line> = { side: 'both' | 'left' | 'right'; line: Line };

/** Lines of each side that are compared: the work grows with both numbers together. */
export const COMPARED_LINES_MAX = 500;

/** The longest common run of lines, with what each side has besides; what only the left has stands before. */
export function compareLines<Line>(
  left: readonly Line[],
  right: readonly Line[],
  keyOf: (line: Line) => string,
): readonly ComparedLine<Line>[] {
  const a = left.slice(0, COMPARED_LINES_MAX);
  const b = right.slice(0, COMPARED_LINES_MAX);
  const keysA = a.map(keyOf);
  const keysB = b.map(keyOf);
  const width = b.length + 1;
  // Length of the longest common run from (i, j) on.
  const runs = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const here = i * width + j;
      runs[here] =
        keysA[i] === keysB[j] ? runs[here + width + 1]! + 1 : Math.max(runs[here + width]!, runs[here + 1]!);
    }
  }
  const compared: ComparedLine<Line>[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && keysA[i] === keysB[j]) {
      compared.push({ side: 'both', line: a[i++]! });
      j += 1;
    } else if (j >= b.length || (i < a.length && runs[(i + 1) * width + j]! >= runs[i * width + j + 1]!)) {
      compared.push({ side: 'left', line: a[i++]! });
    } else {
      compared.push({ side: 'right', line: b[j++]! });
    }
  }
  return compared;
}
