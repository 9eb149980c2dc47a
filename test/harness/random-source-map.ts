import { encodeVlq } from './encode-vlq.ts';

export type RandomMap = {
  version: 3;
  sources: readonly (string | null)[];
  sourcesContent: readonly (string | null)[];
  names: readonly string[];
  mappings: string;
};

const COLUMN_MAX = 120;

/**
 * A valid map of a few lines. Columns of a line differ, and stand in the text in any order: which of two segments at one
 * column counts is left open by the format.
 */
export function randomSourceMap(random: () => number): RandomMap {
  const below = (bound: number) => Math.floor(random() * bound);
  const sources = Array.from(
    { length: 1 + below(4) },
    (_, index) => `${'../'.repeat(below(2))}file-${index}.ts`,
  );
  const names = Array.from({ length: below(4) }, (_, index) => `name${index}`);
  // Each number is told by its distance from the one before.
  const last = [0, 0, 0, 0, 0];
  const relative = (field: number, value: number): string => {
    const step = value - (last[field] ?? 0);
    last[field] = value;
    return encodeVlq(step);
  };
  const lines = Array.from({ length: below(8) }, () => {
    last[0] = 0;
    const columns = new Set(Array.from({ length: below(8) }, () => below(COLUMN_MAX)));
    const ordered = random() < 0.2 ? [...columns] : [...columns].sort((a, b) => a - b);
    return ordered
      .map((column) => {
        const generated = relative(0, column);
        if (random() < 0.15) return generated;
        const original =
          relative(1, below(sources.length)) + relative(2, below(500)) + relative(3, below(200));
        const isNamed = names.length > 0 && random() < 0.4;
        return generated + original + (isNamed ? relative(4, below(names.length)) : '');
      })
      .join(',');
  });
  return {
    version: 3,
    sources,
    sourcesContent: sources.map((source) => (random() < 0.5 ? `// ${source}` : null)),
    names,
    mappings: lines.join(';'),
  };
}
