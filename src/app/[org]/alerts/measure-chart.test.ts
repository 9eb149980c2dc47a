import { expect, test } from 'vitest';
import { heightOf, linePath, scaleFor, valueAt } from './measure-chart.tsx';

test('counts begin at zero and leave room above', () => {
  expect(scaleFor([3, null, 80], [90], false)).toEqual({ bottom: 0, top: 100 });
  expect(scaleFor([], [], false)).toEqual({ bottom: 0, top: 1 });
  expect(scaleFor([-30, 50], [], false)).toEqual({ bottom: -50, top: 100 });
  expect(scaleFor([0.02], [], false)).toEqual({ bottom: 0, top: 0.025 });
});

test('shares near 100 show the part where something happens', () => {
  expect(scaleFor([99.9, 98], [99, 99.5], true)).toEqual({ bottom: 97, top: 100 });
  expect(scaleFor([2, null, 7], [5], true)).toEqual({ bottom: 0, top: 10 });
  expect(scaleFor([null], [], true)).toEqual({ bottom: 0, top: 1 });
});

test('a height is a value as exact as the chart', () => {
  const scale = { bottom: 97, top: 100 };
  expect(valueAt(heightOf(99, scale), scale)).toBe(99);
  expect(valueAt(0.501, scale)).toBe(98.5);
  expect(valueAt(2, { bottom: 0, top: 1_000 })).toBe(1_000);
  expect(valueAt(0.3333, { bottom: 0, top: 1_000 })).toBe(330);
});

test('the line is broken where nothing was measured', () => {
  expect(linePath([0, 50, null, 100], { bottom: 0, top: 100 })).toBe('M0 100H1L1 50H2M3 0H4');
});
