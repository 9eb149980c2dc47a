import { expect, test } from 'vitest';
import { userLabel } from './user-label.ts';

test.each([
  [{ value: 'id:42', person: 'ana@example.com' }, 'ana@example.com'],
  [{ value: 'id:42' }, '42'],
  [{ value: 'email:ana@example.com' }, 'ana@example.com'],
  [{ value: 'ip:2001:db8::1' }, '2001:db8::1'],
  [{ value: 'set by hand' }, 'set by hand'],
])('%o is shown as %s', (user, label) => {
  expect(userLabel(user)).toBe(label);
});
