import { describe, expect, test } from 'vitest';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import { findOriginal } from '#pipeline/symbolicate/source-map/find-original.ts';
import { parseSourceMap } from '#pipeline/symbolicate/source-map/parse-source-map.ts';
import {
  InvalidSourceMap,
  SECTIONS_MAX,
  SEGMENTS_MAX,
  SOURCES_MAX,
} from '#pipeline/symbolicate/source-map/source-map.ts';
import { encodeVlq } from './harness/encode-vlq.ts';
import { heldBytes } from './harness/held-bytes.ts';
import { IS_FULL, testInFull } from './harness/is-full.ts';
import { randomSourceMap } from './harness/random-source-map.ts';
import { chooseSeed, seededRandom } from './harness/seeded-random.ts';

const MUTATIONS = IS_FULL ? 50_000 : 1_500;
const MEGABYTE = 1024 * 1024;

const mapOf = (fields: Record<string, unknown>) =>
  JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: '', ...fields });

/** The reason; fails when the map is taken, or something else than the product's own error is thrown. */
function refusalOf(text: string): string {
  try {
    parseSourceMap(text);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidSourceMap);
    return (error as Error).message;
  }
  throw new Error('the map was taken');
}

describe('maps that mean harm', () => {
  testInFull(
    'are refused when they hold more than the limits',
    () => {
      const cases: [string, string][] = [
        [mapOf({ sources: Array(1_000_000).fill('a.ts') }), `more than ${SOURCES_MAX} sources`],
        [mapOf({ names: Array(2_000_001).fill('n') }), 'more than 2000000 names'],
        [mapOf({ mappings: ';'.repeat(6_000_000) }), 'generated lines'],
        [mapOf({ mappings: `A${',A'.repeat(SEGMENTS_MAX)}` }), `more than ${SEGMENTS_MAX} segments`],
        [
          JSON.stringify({
            version: 3,
            sections: Array.from({ length: SECTIONS_MAX + 1 }, (_, line) => ({
              offset: { line, column: 0 },
              map: { version: 3, sources: [], names: [], mappings: '' },
            })),
          }),
          `more than ${SECTIONS_MAX} sections`,
        ],
      ];
      for (const [text, reason] of cases) expect(refusalOf(text)).toContain(reason);
    },
    60_000,
  );

  test('are refused for places that no file has', () => {
    const section = (offset: unknown) =>
      JSON.stringify({
        version: 3,
        sections: [{ offset, map: { version: 3, sources: ['a'], names: [], mappings: 'C' } }],
      });
    const far = encodeVlq(2 ** 31 - 1);
    for (const text of [
      mapOf({ mappings: `${far},C` }),
      mapOf({ mappings: `AA${far}A,AACA` }),
      mapOf({ mappings: 'D' }),
      mapOf({ mappings: 'B' }),
      mapOf({ mappings: `A${'/'.repeat(100_000)}` }),
      section({ line: -1, column: 0 }),
      section({ line: 0.5, column: 0 }),
      section({ line: 0, column: 2 ** 31 - 1 }),
      section({ line: 0, column: 2 ** 53 }),
      section({ line: 2 ** 40, column: 0 }),
      section({ line: 2 ** 31 - 1, column: 0 }),
    ]) {
      expect(refusalOf(text)).not.toBe('');
    }
  });

  test('are refused when they are nested, as deep as they like', () => {
    expect(refusalOf(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)).toContain('nested deeper than');
    expect(refusalOf(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`)).toContain('nested deeper than');
    // Before the text, where some servers put a line of their own.
    expect(refusalOf(`)]}'"\n${'['.repeat(300_000)}`)).toContain('nested deeper than');
    let nested: unknown = { version: 3, sources: [], names: [], mappings: '' };
    for (let depth = 0; depth < 50; depth++)
      nested = { version: 3, sections: [{ offset: { line: 0, column: 0 }, map: nested }] };
    expect(refusalOf(JSON.stringify(nested))).toContain('itself an index map');
  });

  test('are refused when their sections overlap, backwards or within', () => {
    const section = (line: number, column: number, mappings: string) => ({
      offset: { line, column },
      map: { version: 3, sources: ['a'], names: [], mappings },
    });
    const index = (...sections: unknown[]) => JSON.stringify({ version: 3, sections });
    for (const text of [
      index(section(0, 0, 'AAAA;AAAA;AAAA'), section(2, 0, 'AAAA')),
      index(section(0, 0, 'gCAAA,DAAA'), section(0, 20, 'AAAA')),
      index(section(5, 0, ''), section(0, 0, 'AAAA')),
    ]) {
      expect(refusalOf(text)).toContain('Section 2');
    }
    // Empty lines at the end of a section reach into the next one, as some bundlers write it.
    const open = parseSourceMap(index(section(0, 0, 'AAAA;;;;'), section(2, 0, 'AACA')));
    expect(findOriginal(open, 0, 0)).toMatchObject({ source: 0, line: 0 });
    expect(findOriginal(open, 1, 0)).toBe('no-line');
    expect(findOriginal(open, 2, 0)).toMatchObject({ source: 1, line: 1 });
    expect(findOriginal(open, 4, 0)).toBe('no-line');
  });

  test('change nothing beside themselves, however they name things', () => {
    const words = [
      '__proto__',
      'constructor',
      'toString',
      'a\0b',
      '\u202egnp.exe',
      '../../../etc/passwd',
      '',
    ];
    const text = mapOf({
      sources: words,
      sourcesContent: words,
      names: words,
      mappings: 'AAAAA,CACAC',
    }).replace('{', '{"__proto__":{"version":3,"polluted":true},"constructor":1,');
    const map = parseSourceMap(text);
    expect(map.sources).toEqual(words);
    expect(findOriginal(map, 0, 0)).toMatchObject({ name: '__proto__' });
    expect({}).not.toHaveProperty('polluted');
    expect(Object.getPrototypeOf(map)).toBe(Object.prototype);
    expect(refusalOf('{"__proto__":{"version":3,"sources":[],"names":[],"mappings":""}}')).toContain(
      'version',
    );
  });

  test('cost no more memory than a bundle of their size, whatever order their columns have', () => {
    // One line whose columns go back and forth: what has to be sorted.
    const text = mapOf({ mappings: `gB${',CAAA,DAAA'.repeat(500_000)}` });
    const before = heldBytes();
    const map = parseSourceMap(text);
    expect(map.generatedColumns.length).toBe(1_000_001);
    expect((heldBytes() - before) / MEGABYTE).toBeLessThan(200);
    expect([...map.generatedColumns.slice(0, 2)]).toEqual([16, 16]);
    expect(map.generatedColumns.at(-1)).toBe(17);
  });

  test('long numbers that say nothing are read in the time of their length', () => {
    const text = mapOf({ mappings: `i${'g'.repeat(5_000_000)}AAAA` });
    expect(withinMs(2_000, () => findOriginal(parseSourceMap(text), 0, 1))).toMatchObject({ line: 0 });
  });
});

test('a map that was damaged anywhere is refused with a reason or answers within its own bounds', () => {
  const random = seededRandom(chooseSeed());
  const taken = { refused: 0, accepted: 0 };
  for (let round = 0; round < MUTATIONS; round++) {
    const text = damage(JSON.stringify(randomSourceMap(random)), random);
    try {
      const map = parseSourceMap(text);
      taken.accepted++;
      for (let line = 0; line < 10; line++) {
        const original = findOriginal(map, line, Math.floor(random() * 200));
        if (typeof original === 'string') continue;
        expect(original.source).toBeLessThan(map.sources.length);
        expect(original.line).toBeGreaterThanOrEqual(0);
        expect(original.line).toBeLessThan(2 ** 31);
      }
    } catch (error) {
      if (!(error instanceof InvalidSourceMap)) throw error;
      expect(error.message.length).toBeLessThan(300);
      taken.refused++;
    }
  }
  expect(taken.refused).toBeGreaterThan(MUTATIONS / 10);
  expect(taken.accepted).toBeGreaterThan(MUTATIONS / 100);
});

const PIECES = ['"', '{', '}', '[', ']', ',', ';', 'g', '=', '\0', '-1', '1e99', 'null', '\u2028', 'D', '9'];

function damage(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length);
  const piece = PIECES[Math.floor(random() * PIECES.length)] ?? '';
  const kind = random();
  if (kind < 0.3) return text.slice(0, at) + piece + text.slice(at);
  if (kind < 0.6) return text.slice(0, at) + piece + text.slice(at + 1);
  if (kind < 0.8) return text.slice(0, at) + text.slice(at + 1 + Math.floor(random() * 5));
  return text.slice(0, at);
}
