import { expect, test } from 'vitest';
import { parseProfile } from './parse-profile.ts';
import { recordThread } from './record-thread.ts';
import { SPEEDSCOPE_THREADS_MAX, toSpeedscope } from './to-speedscope.ts';

/** Stacks of indexes of `abc`, the innermost call first, 1 ms each. */
function threadOf(stacks: readonly (readonly number[])[]) {
  const profile = parseProfile({
    version: '1',
    platform: 'python',
    profile: {
      frames: [{ function: 'a', filename: 'a.py', lineno: 1 }, { function: 'b' }, { function: 'c' }],
      stacks,
      samples: stacks.map((_, index) => ({
        elapsed_since_start_ns: index * 1_000_000,
        thread_id: '1',
        stack_id: index,
      })),
    },
  });
  const samples = profile?.threads[0];
  if (!profile || !samples) throw new Error('It could not be read');
  return recordThread([{ profile, samples, shiftUs: 0 }], { platform: 'python', originUs: 0, window: null });
}

test('calls open and close in the order in which they happened, each within its caller', () => {
  const thread = threadOf([[0], [1, 0], [2, 1, 0], [2, 0], [], [0], [0]]);
  const file = toSpeedscope('/cart', [
    { name: 'main', thread },
    { name: 'other', thread },
  ]);
  expect(file.shared.frames).toHaveLength(6);
  expect(file.shared.frames[0]).toEqual({ name: 'a', file: 'a.py', line: 1 });
  const [main, other] = file.profiles;
  const written = main?.events.map(
    ({ type, frame, at }) => `${type}${file.shared.frames[frame]?.name}${at / 1_000}`,
  );
  expect(written).toEqual(['Oa0', 'Ob1', 'Oc2', 'Cc3', 'Cb3', 'Oc3', 'Cc4', 'Ca4', 'Oa5', 'Ca6']);
  expect(main).toMatchObject({ name: 'main', unit: 'microseconds', startValue: 0, endValue: 6_000 });
  expect(other?.events[0]?.frame).toBe(3);
});

test('so many threads are written, and no empty call', () => {
  const threads = Array.from({ length: SPEEDSCOPE_THREADS_MAX + 5 }, () => ({
    name: 't',
    thread: threadOf([[0], [0]]),
  }));
  expect(toSpeedscope('p', threads).profiles).toHaveLength(SPEEDSCOPE_THREADS_MAX);
  expect(toSpeedscope('p', []).profiles).toEqual([]);
});
