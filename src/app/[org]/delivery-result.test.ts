import { expect, test } from 'vitest';
import { deliveryLabel } from '#app/[org]/delivery-result.tsx';
import type { DeliveryState } from '#product/deliveries/delivery.ts';

const NOW = 1_000_000;
const told = (state: DeliveryState, attempts: number, lastError: string | null, dueInMs: number) =>
  deliveryLabel({ state, attempts, lastError, dueAt: NOW + dueInMs }, NOW);

test('a message before and during its first try has not failed', () => {
  expect(told('open', 0, null, -5)).toEqual({ look: 'open', words: 'queued' });
  expect(told('open', 0, null, 150_000)).toEqual({
    look: 'open',
    words: 'queued, sends in 3 minutes',
  });
  expect(told('sealed', 1, null, -5)).toEqual({ look: 'sealed', words: 'sending' });
});

test('after a failure it says how often, and when it is tried next', () => {
  expect(told('sealed', 1, 'no answer', 5_000)).toEqual({
    look: 'retry',
    words: 'failed 1 time, next attempt in 5 s',
  });
  expect(told('sealed', 5, 'no answer', 3_600_000).words).toBe('failed 5 times, next attempt in 1 hour');
  expect(told('sealed', 2, 'no answer', -5)).toEqual({
    look: 'retry',
    words: 'failed 1 time, retrying',
  });
});

test('what is over says so', () => {
  for (const state of ['sent', 'failed', 'dropped'] as const) {
    expect(told(state, 1, null, -5)).toEqual({ look: state, words: state });
  }
});
