import { expect, test } from 'vitest';
import { invalid } from '#lib/errors.ts';
import type { Limit } from '#product/quotas/check-limits.ts';
import { saveLimits } from './limits-state.ts';

const INITIAL = { errors: {}, error: null, savedAt: null };

function form(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

async function submit(fields: Record<string, string>, failure: Error | null = null) {
  let saved: readonly Limit[] | null = null;
  const state = await saveLimits(INITIAL, form(fields), 7, async (limits) => {
    if (failure) throw failure;
    saved = limits;
  });
  return { state, saved };
}

test('filled fields are limits, empty ones are none', async () => {
  const { state, saved } = await submit({
    'errors-limit': ' 1,500 ',
    'errors-window': '3600',
    'logs-limit': '',
    'logs-window': '60',
    'sessions-limit': '0',
    'sessions-window': '60',
  });
  expect(saved).toEqual([
    { kind: 'errors', limit: 1_500, windowSeconds: 3_600 },
    { kind: 'sessions', limit: 0, windowSeconds: 60 },
  ]);
  expect(state).toEqual({ errors: {}, error: null, savedAt: 7 });
});

test('a field that is no number is named, and nothing is saved', async () => {
  const { state, saved } = await submit({ 'errors-limit': 'many', 'logs-limit': '-1', 'spans-limit': '1.5' });
  expect(saved).toBeNull();
  expect(Object.keys(state.errors)).toEqual(['errors', 'spans', 'logs']);
  expect(state.savedAt).toBeNull();
});

test('what the product refuses stands at its field, or over the form', async () => {
  const fields = { 'errors-limit': '1', 'errors-window': '60' };
  expect((await submit(fields, invalid('Too much', 'errors'))).state.errors).toEqual({ errors: 'Too much.' });
  expect((await submit(fields, invalid('Not now'))).state.error).toBe('Not now.');
});
