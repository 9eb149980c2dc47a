import { expect, test } from 'vitest';
import { packSourceMap } from './packed-map.ts';
import { parseSourceMap } from './parse-source-map.ts';

const bytesOf = (content: string): number =>
  packSourceMap(
    parseSourceMap(
      JSON.stringify({ version: 3, sources: ['a.ts'], sourcesContent: [content], mappings: '' }),
    ),
  ).bytes;

test('a map occupies more where its sources have more lines, which are found later', () => {
  expect(bytesOf('\n'.repeat(1_000)) - bytesOf('x'.repeat(1_000))).toBe(1_000 * 4);
});
