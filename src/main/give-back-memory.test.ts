import { afterEach, expect, test, vi } from 'vitest';
import { giveBackMemory } from './give-back-memory.ts';

const MIB = 1024 * 1024;
let stop = () => {};
afterEach(() => {
  stop();
  vi.useRealTimers();
});

function begin() {
  vi.useFakeTimers();
  const state = { collected: 0, heapBytes: 40 * MIB, cpuUs: 0 };
  stop = giveBackMemory({
    collect: () => {
      state.collected += 1;
      state.heapBytes = 20 * MIB;
    },
    heapBytes: () => state.heapBytes,
    cpuUs: () => state.cpuUs,
  });
  return state;
}

test('what the start needed is given back', () => {
  const state = begin();
  vi.advanceTimersByTime(4_000);
  expect(state).toMatchObject({ collected: 1, heapBytes: 20 * MIB });
});

test('a process that rests gives back what a busy time has left', () => {
  const state = begin();
  vi.advanceTimersByTime(29_000);
  state.heapBytes = 60 * MIB;
  state.cpuUs = 20_000_000;
  vi.advanceTimersByTime(2_000);
  expect(state).toMatchObject({ collected: 2, heapBytes: 60 * MIB });
  vi.advanceTimersByTime(30_000);
  expect(state).toMatchObject({ collected: 3, heapBytes: 20 * MIB });
});

test('a small heap is left alone', () => {
  const state = begin();
  vi.advanceTimersByTime(30_000);
  state.heapBytes = 23 * MIB;
  vi.advanceTimersByTime(600_000);
  expect(state.collected).toBe(2);
});

test('without a way to collect nothing is done', () => {
  expect(giveBackMemory({ collect: undefined, heapBytes: () => 0, cpuUs: () => 0 })).not.toThrow();
});
