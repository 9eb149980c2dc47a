import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findOriginal } from '#pipeline/symbolicate/source-map/find-original.ts';
import { parseSourceMap } from '#pipeline/symbolicate/source-map/parse-source-map.ts';
import { InvalidSourceMap, type SourceMap } from '#pipeline/symbolicate/source-map/source-map.ts';

/** The public tests of the format: see test/source-maps/README.md. */
const CASES = readFileSync(path.join(import.meta.dirname, 'source-maps/cases.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): Case => JSON.parse(line));

type Case = {
  name: string;
  valid: boolean;
  map: unknown;
  positions?: readonly Expected[];
  ignored?: readonly string[];
  through?: readonly unknown[];
};

type Expected = readonly [
  generatedLine: number,
  generatedColumn: number,
  source: string | null,
  line: number | null,
  column: number | null,
  name: string | null,
];

const parse = (map: unknown): SourceMap => parseSourceMap(JSON.stringify(map));

test('the suite is whole', () => {
  expect(CASES.length).toBe(99);
  expect(CASES.filter((each) => each.valid).length).toBe(32);
});

describe('valid maps', () => {
  for (const { name, map, positions, ignored, through = [] } of CASES.filter((each) => each.valid)) {
    test(name, () => {
      const maps = [map, ...through].map(parse);
      for (const expected of positions ?? []) {
        const [line, column] = expected;
        expect([line, column, ...follow(maps, line, column)]).toEqual(expected);
      }
      const [first] = maps;
      if (ignored) expect(first?.ignored.map((index) => first.sources[index])).toEqual(ignored);
    });
  }
});

describe('invalid maps are refused with a reason', () => {
  for (const { name, map } of CASES.filter((each) => !each.valid)) {
    test(name, () => {
      const reason = refusalOf(map);
      expect(reason).toBeInstanceOf(InvalidSourceMap);
      // A sentence about what is wrong, not the words of an engine.
      expect(String((reason as Error).message)).toMatch(/^(It|Its|Section|The|")/);
    });
  }
});

/** Through a chain of maps; the name is that of the last one. */
function follow(maps: readonly SourceMap[], line: number, column: number) {
  let at: { line: number; column: number } = { line, column };
  let found: readonly [string | null, number | null, number | null, string | null] = [null, null, null, null];
  for (const map of maps) {
    const original = findOriginal(map, at.line, at.column);
    if (typeof original === 'string') return [null, null, null, null];
    found = [map.sources[original.source] ?? null, original.line, original.column, original.name];
    at = original;
  }
  return found;
}

function refusalOf(map: unknown): unknown {
  try {
    parse(map);
  } catch (error) {
    return error;
  }
  return null;
}
