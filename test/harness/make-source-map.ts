import { encodeVlq } from './encode-vlq.ts';

export type MadeSource = { name: string; content: string | null };
/** Lines and columns count from 0. */
export type MadeSegment = {
  at: readonly [line: number, column: number];
  /** Index of the sources, line and column; null for code that comes from no source. */
  from: readonly [source: number, line: number, column: number] | null;
  name?: string;
};

/** The text of a source map with the segments, which are in order. `extra` is added to it. */
export function makeSourceMap(
  sources: readonly MadeSource[],
  segments: readonly MadeSegment[],
  extra: Readonly<Record<string, unknown>> = {},
): string {
  const names = [...new Set(segments.flatMap(({ name }) => name ?? []))];
  const last = { line: 0, column: 0, source: 0, originalLine: 0, originalColumn: 0, name: 0 };
  const relative = (field: keyof typeof last, value: number): string => {
    const step = value - last[field];
    last[field] = value;
    return encodeVlq(step);
  };
  let mappings = '';
  for (const { at, from, name } of segments) {
    const [line, column] = at;
    if (line > last.line) {
      mappings += ';'.repeat(line - last.line);
      last.line = line;
      last.column = 0;
    } else if (mappings !== '') mappings += ',';
    mappings += relative('column', column);
    if (!from) continue;
    mappings += relative('source', from[0]) + relative('originalLine', from[1]);
    mappings += relative('originalColumn', from[2]);
    if (name !== undefined) mappings += relative('name', names.indexOf(name));
  }
  return JSON.stringify({
    version: 3,
    sources: sources.map((source) => source.name),
    sourcesContent: sources.map(({ content }) => content),
    names,
    mappings,
    ...extra,
  });
}
