import { expect, test } from 'vitest';
import { DAY_MS } from '#lib/time.ts';
import { tokenExpiry } from '#product/tokens/organization-tokens.ts';
import { tokenDays } from './token-days.ts';

const daysOf = (sent: { days?: string; customDays?: string }) =>
  tokenDays({ days: '', customDays: '', ...sent });

test.each([
  [{ days: '90' }, 90],
  [{ days: 'custom', customDays: '14' }, 14],
  [{ days: '30', customDays: '14' }, 30],
])('%j is %s days', (fields, days) => {
  expect(tokenExpiry(daysOf(fields), 0)).toBe(days * DAY_MS);
});

test('no expiry has to be chosen', () => {
  expect(tokenExpiry(daysOf({ days: 'never' }), 0)).toBeNull();
});

test.each([
  {},
  { days: '' },
  { days: '0' },
  { days: '-1' },
  { days: '1e3' },
  { days: '3651' },
  { days: 'custom' },
  { days: 'custom', customDays: '1.5' },
])('%j is refused', (fields) => {
  expect(() => tokenExpiry(daysOf(fields), 0)).toThrow(
    expect.objectContaining({ code: 'invalid', field: 'days' }),
  );
});
