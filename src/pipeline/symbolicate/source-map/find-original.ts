import { NONE, type Segments, type SourceMap } from './source-map.ts';

/** Where generated code comes from. Line and column count from 0. */
export type OriginalPosition = {
  /** Index of the map's sources. */
  source: number;
  line: number;
  column: number;
  /** null when the map does not name what stands there. */
  name: string | null;
};

/** `no-line`: the map has no such line, or nothing in it; `unmapped`: what stands there comes from no source. */
export type Missing = 'no-line' | 'unmapped';

/** The index of the segment that covers a generated position, lines and columns from 0, by halving. */
export function findSegment(map: Segments, line: number, column: number): number | Missing {
  const from = map.lineStarts[line];
  const end = map.lineStarts[line + 1];
  if (from === undefined || end === undefined || from === end) return 'no-line';
  let low = from;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((map.generatedColumns[middle] ?? NONE) <= column) low = middle + 1;
    else high = middle;
  }
  const at = low - 1;
  return at < from || map.sourceIndexes[at] === NONE ? 'unmapped' : at;
}

/** As `findSegment`, with what the segment says. */
export function findOriginal(map: SourceMap, line: number, column: number): OriginalPosition | Missing {
  const at = findSegment(map, line, column);
  if (typeof at === 'string') return at;
  const name = map.nameIndexes[at] ?? NONE;
  return {
    source: map.sourceIndexes[at] ?? 0,
    line: map.originalLines[at] ?? 0,
    column: map.originalColumns[at] ?? 0,
    name: name === NONE ? null : (map.names[name] ?? null),
  };
}
