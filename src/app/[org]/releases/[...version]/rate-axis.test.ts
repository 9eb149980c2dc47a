import { expect, test } from 'vitest';
import { rateAxis } from './rate-axis.ts';

const series = (...values: (number | null)[]) => [{ label: 'one', color: 'red', values }];

test('the axis begins below the lowest share, and close to it', () => {
  expect(rateAxis(series(1, 0.9995))).toEqual({ bottom: 0.995, top: 1 });
  expect(rateAxis(series(0.9921, null))).toEqual({ bottom: 0.99, top: 1 });
  expect(rateAxis(series(0.31, 1))).toEqual({ bottom: 0, top: 1 });
});

test('without any share it is that of nothing but good ones', () => {
  expect(rateAxis(series(null, null))).toEqual({ bottom: 0.995, top: 1 });
});
