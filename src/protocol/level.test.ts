import { expect, test } from 'vitest';
import { parseLevel } from './level.ts';

test.each([
  ['warn', 'warning'],
  ['WARNING', 'warning'],
  [' log ', 'info'],
  ['critical', 'fatal'],
  ['err', 'error'],
  ['trace', 'debug'],
  [10, 'debug'],
  [20, 'info'],
  [30, 'warning'],
  ['40', 'error'],
  [50, 'fatal'],
])('%s is read as %s', (sent, level) => {
  expect(parseLevel(sent)).toBe(level);
});

test.each([['loud'], [''], [0], [-10], [Number.NaN], [null], [{}], ['constructor']])(
  '%s is no level',
  (sent) => {
    expect(parseLevel(sent)).toBeNull();
  },
);
