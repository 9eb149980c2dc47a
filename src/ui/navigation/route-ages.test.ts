import { expect, test } from 'vitest';
import { LOADED_ROUTES_MAX } from './limits.ts';
import { createRouteAges } from './route-ages.ts';

test('an address is its path and query, whatever the framework adds', () => {
  const ages = createRouteAges();
  ages.note('https://errata.test/main/issues?query=a&_rsc=1x2y#top', 1_000);
  expect(ages.ageMs('/main/issues?query=a', 21_000)).toBe(20_000);
  expect(ages.ageMs('/main/issues?query=b', 21_000)).toBeNull();
  expect(ages.ageMs('/main/issues', 21_000)).toBeNull();
});

test('the newest addresses are remembered', () => {
  const ages = createRouteAges();
  for (let index = 0; index <= LOADED_ROUTES_MAX; index++) ages.note(`/page/${index}`, index);
  expect(ages.ageMs('/page/0', 0)).toBeNull();
  expect(ages.ageMs('/page/1', 1)).toBe(0);
});
