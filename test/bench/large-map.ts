import { type MadeSegment, makeSourceMap } from '../harness/make-source-map.ts';

const SEGMENTS_PER_MIB = 80_000;

/** As a bundler writes it: a few long lines, the texts of the sources inside. */
export function largeMap(
  mebibytes: number,
  lines: number,
): { text: string; segments: number; lines: number; columns: number } {
  const perLine = Math.round((mebibytes * SEGMENTS_PER_MIB) / lines);
  const sourceLines = 300;
  const sources = Array.from({ length: mebibytes * 50 }, (_, index) => ({
    name: `../src/file${index}.ts`,
    content: 'const value = compute(argument, other);\n'.repeat(sourceLines),
  }));
  const segments: MadeSegment[] = [];
  let columns = 0;
  for (let line = 0; line < lines; line++) {
    let column = 0;
    for (let index = 0; index < perLine; index++) {
      const number = segments.length;
      const source = Math.floor((number * sources.length) / (lines * perLine));
      const from = [source, Math.floor(number / 9) % sourceLines, (number % 9) * 4] as const;
      segments.push({ at: [line, column], from, ...(number % 5 === 0 && { name: `name${number % 5_000}` }) });
      column += 1 + ((index * 7) % 13);
    }
    columns = column;
  }
  return { text: makeSourceMap(sources, segments), segments: segments.length, lines, columns };
}
