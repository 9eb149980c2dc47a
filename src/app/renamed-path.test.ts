import { expect, test } from 'vitest';
import { renamedPath } from './renamed-path.ts';

test('what stands behind the slug stays', () => {
  expect(renamedPath('/old/issues/WEB-1?tab=2', 'old', 'new')).toBe('/new/issues/WEB-1?tab=2');
  expect(renamedPath('/old?x=1', 'old', 'new')).toBe('/new?x=1');
});

test('what is another path leads to the issues', () => {
  expect(renamedPath(null, 'old', 'new')).toBe('/new/issues');
  expect(renamedPath('/older/issues', 'old', 'new')).toBe('/new/issues');
  expect(renamedPath('/old', 'old', 'new')).toBe('/new/issues');
});
