import { expect, test } from 'vitest';
import { submitForm } from '#app/forms/submit-form.ts';
import { invalid } from '#lib/errors.ts';
import type { Limit } from '#product/quotas/limits.ts';
import { LIMIT_FIELDS, limitsOf, timeLeft, windowLabel, windowOptions } from './limit-fields.ts';

async function submit(typed: Record<string, string>, failure: Error | null = null) {
  const form = new FormData();
  for (const [name, value] of Object.entries(typed)) form.set(name, value);
  let saved: readonly Limit[] | null = null;
  const state = await submitForm(LIMIT_FIELDS, form, async (input) => {
    if (failure) throw failure;
    saved = limitsOf(input);
    return null;
  });
  return { state, saved };
}

test('filled fields are limits, empty ones are none', async () => {
  const { state, saved } = await submit({
    errors: ' 1,500 ',
    'errors-window': '3600',
    logs: '',
    'logs-window': '60',
    sessions: '0',
    'sessions-window': '60',
  });
  expect(saved).toEqual([
    { kind: 'errors', limit: 1_500, windowSeconds: 3_600 },
    { kind: 'sessions', limit: 0, windowSeconds: 60 },
  ]);
  expect(state).toMatchObject({ errors: {}, error: null, savedAt: expect.any(Number) });
});

test('a field that is no number is named, and nothing is saved', async () => {
  const { state, saved } = await submit({ errors: 'many', logs: '-1', spans: '1.5' });
  expect(saved).toBeNull();
  expect(Object.keys(state.errors)).toEqual(['errors', 'spans', 'logs']);
  expect(state).toMatchObject({ savedAt: null, typed: { errors: 'many' } });
});

test('what the product refuses stands at its field, or over the form', async () => {
  const typed = { errors: '1', 'errors-window': '60' };
  expect((await submit(typed, invalid('Too much', 'errors'))).state.errors).toEqual({ errors: 'Too much.' });
  expect((await submit(typed, invalid('Not now'))).state.error).toBe('Not now.');
});

test('a window is named by the largest unit that it is whole in', () => {
  expect([1, 45, 60, 600, 3_600, 5_400, 86_400, 2_592_000].map(windowLabel)).toEqual([
    'second',
    '45 seconds',
    'minute',
    '10 minutes',
    'hour',
    '90 minutes',
    'day',
    '30 days',
  ]);
});

test('what is left of a window is rounded up', () => {
  const MINUTE_MS = 60_000;
  expect(
    [0, 1_500, 61_000, 119_000, 42 * MINUTE_MS, 90 * MINUTE_MS, 150 * MINUTE_MS, 50 * 60 * MINUTE_MS].map(
      timeLeft,
    ),
  ).toEqual([
    '1 second',
    '2 seconds',
    '61 seconds',
    '119 seconds',
    '42 minutes',
    '90 minutes',
    '3 hours',
    '3 days',
  ]);
});

test('a window that was chosen elsewhere can be kept', () => {
  expect(windowOptions(90, 3_600).map(({ value }) => value)).toEqual(['60', '90', '600', '3600']);
  expect(windowOptions(60).map(({ label }) => label)).toEqual([
    'per minute',
    'per 10 minutes',
    'per hour',
    'per 6 hours',
    'per day',
    'per 7 days',
    'per 30 days',
  ]);
});
