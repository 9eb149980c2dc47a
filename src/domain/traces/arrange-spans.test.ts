import { expect, test } from 'vitest';
import { testInFull } from '../../../test/harness/is-full.ts';
import { arrangeSpans } from './arrange-spans.ts';

const span = (spanId: string, parentSpanId: string | null, startedAtUs: number) => ({
  projectId: 1,
  spanId,
  parentSpanId,
  startedAtUs,
});
const shape = (spans: Parameters<typeof arrangeSpans>[0]) =>
  arrangeSpans(spans).map(({ span: { spanId }, parent, isOrphan }) => [spanId, parent, isOrphan]);

test('a span comes right before those that it started, brothers by their beginning', () => {
  const spans = [
    span('late', 'root', 30),
    span('leaf', 'early', 12),
    span('root', null, 0),
    span('early', 'root', 10),
    span('other', null, 20),
  ];
  expect(shape(spans)).toEqual([
    ['root', null, false],
    ['early', 0, false],
    ['leaf', 1, false],
    ['late', 0, false],
    ['other', null, false],
  ]);
});

test('a span whose parent is missing is a root, and says so', () => {
  expect(shape([span('a', 'nobody', 5), span('b', 'a', 6)])).toEqual([
    ['a', null, true],
    ['b', 0, false],
  ]);
});

test('spans that name each other in a circle, or themselves, are all there once', () => {
  const circle = [span('a', 'c', 1), span('b', 'a', 2), span('c', 'b', 3), span('self', 'self', 0)];
  expect(shape(circle)).toEqual([
    ['self', null, false],
    ['a', null, false],
    ['b', 1, false],
    ['c', 2, false],
  ]);
});

testInFull(
  'a span with a million children and one with a hundred thousand below each other take no stack',
  () => {
    const wide = Array.from({ length: 200_000 }, (_, index) => span(`w${index}`, 'root', index));
    const deep = Array.from({ length: 100_000 }, (_, index) =>
      span(`d${index}`, index ? `d${index - 1}` : 'root', 1),
    );
    expect(arrangeSpans([span('root', null, 0), ...wide, ...deep])).toHaveLength(300_001);
  },
);
