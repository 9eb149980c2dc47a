import { expect, test } from 'vitest';
import { readBoundsFile, renderBounds } from './source-tree/bounds-document.ts';
import { listBounds } from './source-tree/list-bounds.ts';

const WHOLE_SOURCE_MS = 60_000;

test('docs/bounds.md has the bounds of the source: `npm run bounds` writes them', {
  timeout: WHOLE_SOURCE_MS,
}, () => {
  const document = readBoundsFile();
  expect(document === renderBounds(document), 'run `npm run bounds`').toBe(true);
});

test('a bound is found with its value, its unit and its meaning', () => {
  const bounds = listBounds();
  const boundOf = (name: string) => bounds.find((bound) => bound.name === name)?.value;
  expect(boundOf('REQUEST_BOUNDS.eventBytesMax')).toBe('1 MiB');
  expect(boundOf('REQUEST_BOUNDS.requestTimeoutMs')).toBe('61 min');
  expect(bounds).toContainEqual({
    file: 'pipeline/scrub/scrub-path.ts',
    name: 'MARKS_MAX',
    value: '1,000',
    meaning: 'Marks of one payload; what is scrubbed beyond goes unmarked.',
  });
});
