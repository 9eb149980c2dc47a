import { expect, test } from 'vitest';
import { dotPaths, linePaths, lineTop } from './line-paths.ts';

const box = { width: 100, height: 10, bottom: 0, top: 10, count: 4 };

test('a line breaks where there is no value, and one by itself is a dot', () => {
  expect(linePaths([0, 10, null, 5], box)).toBe('M12.5 10h0L37.5 0');
  expect(dotPaths([0, 10, null, 5], box)).toBe('M87.5 5h0');
  expect(dotPaths([null, 5], box)).toBe('M37.5 5h0');
  expect(linePaths([null, null], box)).toBe('');
});

test('what lies outside stays within the box', () => {
  expect(linePaths([20, -5], box)).toBe('M12.5 0h0L37.5 10');
  expect(lineTop([{ label: 'x', color: 'red', values: [null, 3] }])).toBe(3);
  expect(lineTop([])).toBe(1);
});

test('an axis may begin above zero', () => {
  expect(linePaths([0.9, 1, 0.95, 0.5], { ...box, bottom: 0.9, top: 1 })).toBe(
    'M12.5 10h0L37.5 0L62.5 5L87.5 10',
  );
});
