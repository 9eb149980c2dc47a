import { expect, test } from 'vitest';
import { readElements } from './export-elements.ts';

const ELEMENTS = [
  { model: 'a', text: 'brackets ]} and \\"quotes\\"' },
  { model: 'b', list: [[1], { deep: [] }] },
  { model: 'ü' },
];

async function* pieces(text: string, bytes: number): AsyncGenerator<Buffer> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
}

async function collect(text: string, bytes = 7): Promise<unknown[]> {
  const elements: unknown[] = [];
  for await (const element of readElements(pieces(text, bytes))) elements.push(element);
  return elements;
}

test.each([1, 2, 7, 1_000])('elements are whole, in pieces of %i bytes', async (bytes) => {
  expect(await collect(JSON.stringify(ELEMENTS, null, 2), bytes)).toEqual(ELEMENTS);
});

test('an empty list has no elements', async () => {
  expect(await collect(' [ ] \n')).toEqual([]);
});

test.each([
  ['{"a": 1}', 'not a list of objects'],
  ['["text"]', 'not a list of objects'],
  ['[1]', 'not a list of objects'],
  ['[{}] []', 'not a list of objects'],
  ['', 'ends in the middle'],
  ['[{"a": 1}', 'ends in the middle'],
  ['[{"a": "b', 'ends in the middle'],
  ['[{"a" 1}]', 'is not JSON'],
])('%s is refused', async (text, reason) => {
  await expect(collect(text)).rejects.toThrow(reason);
});
