import { AnyMap, originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { expect, test } from 'vitest';
import { findOriginal } from '#pipeline/symbolicate/source-map/find-original.ts';
import { parseSourceMap } from '#pipeline/symbolicate/source-map/parse-source-map.ts';
import type { SourceMap } from '#pipeline/symbolicate/source-map/source-map.ts';
import { IS_FULL } from './harness/is-full.ts';
import { randomSourceMap } from './harness/random-source-map.ts';
import { chooseSeed, seededRandom } from './harness/seeded-random.ts';

const MAPS = IS_FULL ? 5_000 : 500;
const POSITIONS = 40;
const TIMEOUT_MS = 10 * 60_000;

type Position = { source: string | null; line: number | null; column: number | null; name: string | null };

const NOWHERE: Position = { source: null, line: null, column: null, name: null };

test(
  'any valid map leads where the library that bundlers use leads',
  () => {
    const random = seededRandom(chooseSeed());
    let found = 0;
    for (let round = 0; round < MAPS; round++) {
      const map = randomSourceMap(random);
      const ours = parseSourceMap(JSON.stringify(map));
      found += compare(random, ours, new TraceMap(map as never), map);
    }
    expect(found).toBeGreaterThan(MAPS * 5);
  },
  TIMEOUT_MS,
);

test(
  'any index map leads there as well',
  () => {
    const random = seededRandom(chooseSeed());
    let found = 0;
    for (let round = 0; round < MAPS / 2; round++) {
      let line = 0;
      const sections = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
        const map = randomSourceMap(random);
        const offset = { line, column: Math.floor(random() * 50) };
        // Below everything that the section holds.
        line += map.mappings.split(';').length + Math.floor(random() * 3);
        return { offset, map };
      });
      const index = { version: 3 as const, sections };
      const ours = parseSourceMap(JSON.stringify(index));
      found += compare(random, ours, new AnyMap(index as never), index);
    }
    expect(found).toBeGreaterThan(MAPS);
  },
  TIMEOUT_MS,
);

/** How many of the positions are mapped. */
function compare(random: () => number, ours: SourceMap, reference: TraceMap, map: unknown): number {
  let found = 0;
  for (let each = 0; each < POSITIONS; each++) {
    const line = Math.floor(random() * 12);
    const column = Math.floor(random() * 140);
    const expected = originalPositionFor(reference, { line: line + 1, column });
    const actual = positionOf(ours, line, column);
    expect({ map, line, column, ...actual }).toEqual({
      map,
      line,
      column,
      at: { ...expected, line: expected.line === null ? null : expected.line - 1 },
    });
    if (expected.source !== null) found++;
  }
  return found;
}

function positionOf(map: SourceMap, line: number, column: number): { at: Position } {
  const original = findOriginal(map, line, column);
  if (typeof original === 'string') return { at: NOWHERE };
  const { source, name } = original;
  return { at: { source: map.sources[source] ?? null, line: original.line, column: original.column, name } };
}
