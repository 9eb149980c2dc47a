import { describe, expect, test } from 'vitest';
import { FunctionCollector, type FunctionStarts, findFunction } from './function-starts.ts';

/** `AAA` is line 1, column 0, the first name; `ICC` is four columns, one name and one line further. */
const FUNCTIONS = { names: ['<global>', 'outer', 'inner'], mappings: 'AAA,ICC;ACE' };

function collect(entries: readonly unknown[]): { starts: FunctionStarts | null; names: readonly string[] } {
  const collector = new FunctionCollector();
  collector.add(entries, entries.length);
  return { starts: collector.finish(), names: collector.names };
}

describe('functions of a source', () => {
  const { starts, names } = collect([null, [FUNCTIONS], [FUNCTIONS]]);
  const nameAt = (source: number, line: number, column: number) => {
    const found = starts && findFunction(starts, source, line, column);
    return found === null ? null : names[found];
  };

  test.each([
    [1, 0, 0, '<global>'],
    [1, 1, 3, '<global>'],
    [1, 1, 4, 'outer'],
    [1, 2, 9, 'outer'],
    [1, 3, 0, 'inner'],
    [1, 999, 0, 'inner'],
    [2, 1, 4, 'outer'],
    [0, 5, 5, null],
    [7, 5, 5, null],
  ])('source %i, line %i, column %i: %s', (source, line, column, name) => {
    expect(nameAt(source, line, column)).toBe(name);
  });

  test('each have their own names', () => {
    expect(names).toHaveLength(6);
  });
});

test.each([
  ['no list', 'text'],
  ['no names', [{ mappings: 'AAA' }]],
  ['a name that is not there', [{ names: ['a'], mappings: 'ACA' }]],
  ['a broken number', [{ names: ['a'], mappings: 'A!' }]],
  ['a number that does not end', [{ names: ['a'], mappings: 'AAg' }]],
  ['four numbers', [{ names: ['a'], mappings: 'AAAA' }]],
  ['a line before the first', [{ names: ['a'], mappings: 'AAF' }]],
  ['a place before the one before', [{ names: ['a'], mappings: 'IAC,DAA' }]],
])('%s: the source has no functions', (_, entry) => {
  expect(collect([entry])).toEqual({ starts: null, names: [] });
});
