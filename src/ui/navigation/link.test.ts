import { expect, test } from 'vitest';
import { isSlowConnection } from './link.tsx';

test.each([
  [{ saveData: true, effectiveType: '4g' }, true],
  [{ saveData: false, effectiveType: '2g' }, true],
  [{ saveData: false, effectiveType: 'slow-2g' }, true],
  [{ saveData: false, effectiveType: '3g' }, false],
  [{}, false],
])('%j', (connection, isSlow) => {
  expect(isSlowConnection(connection)).toBe(isSlow);
});
