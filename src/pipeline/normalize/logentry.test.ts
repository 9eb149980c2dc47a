import { expect, test } from 'vitest';
import { formatMessage } from './logentry.ts';

const format = (template: string, params: readonly unknown[] | Record<string, unknown>) =>
  formatMessage(template, params, 1_000);

test.each([
  ['User %s has %d items', ['ada', 3], 'User ada has 3 items'],
  ['%(user)s at 100%%', { user: 'ada' }, 'ada at 100%'],
  ['%5.2f of %s', [1.5], '1.5 of %s'],
  ['{0} and {1} and {0}', ['a', 'b'], 'a and b and a'],
  ['{} then {}', ['a', 'b'], 'a then b'],
  ['{User} in {Room:x}', { User: 'ada', Room: 7 }, 'ada in 7'],
  ['{User} in {Room}', ['ada', 7], '{User} in {Room}'],
  ['{{literal}} {0}', ['x'], '{literal} x'],
  ['%s {not}', ['x'], 'x {not}'],
  ['data %s', [{ a: 1 }], 'data {"a":1}'],
  ['%(__proto__)s {toString}', {}, '%(__proto__)s {toString}'],
])('%s', (template, params, expected) => {
  expect(format(template, params)).toBe(expected);
});

test('the result is bounded, however long a parameter is', () => {
  expect(formatMessage('%s%s', ['x'.repeat(900), '😀'.repeat(900)], 1_000)).toHaveLength(1_000);
});
