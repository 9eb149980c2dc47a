import { expect, test, vi } from 'vitest';
import { asksBeforeLeaving, guardLeaving } from './leave-guards.ts';

test('a page is left at once unless something asks first, once for each time', () => {
  expect(asksBeforeLeaving('/main')).toBe(false);
  const [first, second] = [vi.fn(), vi.fn()];
  const end = guardLeaving(first);
  const endSecond = guardLeaving(second);
  expect(asksBeforeLeaving('/main/issues')).toBe(true);
  expect([first.mock.calls, second.mock.calls]).toEqual([[['/main/issues']], []]);
  end();
  endSecond();
  expect(asksBeforeLeaving('/main/issues')).toBe(false);
});
