import { expect, it, test } from 'vitest';
import type { Frame, NormalizedEvent } from '#protocol/event.ts';
import { collectProblems, withoutSourceLabel } from './source-problems.tsx';

const without = (reason: object, in_app: boolean | null = true): Frame => ({
  in_app,
  data: { source_problem: reason },
});
const missing = without({ reason: 'map_missing', file: 'a.js', mapUrl: null });

function eventOf(parts: Partial<NormalizedEvent>): NormalizedEvent {
  return {
    event_id: 'a'.repeat(32),
    type: 'error',
    level: 'error',
    platform: 'javascript',
    timestamp: 0,
    received: 0,
    ...parts,
  };
}

it('says each reason once, the most frequent first, over all stacks', () => {
  const event = eventOf({
    exception: {
      values: [
        { stacktrace: { frames: [without({ reason: 'no_position' }), missing, { in_app: true }] } },
        {},
      ],
    },
    threads: { values: [{ stacktrace: { frames: [missing] } }] },
    stacktrace: { frames: [missing] },
  });
  const { frames, without: count, reasons } = collectProblems(event);
  expect([frames, count]).toEqual([5, 4]);
  expect(reasons.map(({ problem, frames }) => [problem.reason, frames])).toEqual([
    ['map_missing', 3],
    ['no_position', 1],
  ]);
});

it('has nothing to say of an event without stacks', () => {
  expect(collectProblems(eventOf({}))).toEqual({ frames: 0, without: 0, reasons: [] });
});

it('leaves out libraries: good source of the app needs no warning above it', () => {
  const library = without({ reason: 'no_position' }, false);
  const stack = (frames: Frame[]) => collectProblems(eventOf({ stacktrace: { frames } }));
  expect(stack([library, { in_app: true }])).toEqual({ frames: 1, without: 0, reasons: [] });
  expect(stack([library])).toEqual({ frames: 0, without: 0, reasons: [] });
});

it('counts frames of unknown origin while none is known to be in app', () => {
  const unknown = without({ reason: 'no_position' }, null);
  const stack = (frames: Frame[]) => collectProblems(eventOf({ stacktrace: { frames } })).without;
  expect([stack([unknown]), stack([unknown, { in_app: true }])]).toEqual([1, 0]);
});

test.each([
  [1, 1, 'The in-app frame shows no source'],
  [2, 2, 'None of the 2 in-app frames shows its source'],
  [1, 2, '1 of 2 in-app frames shows no source'],
  [2, 3, '2 of 3 in-app frames show no source'],
])('%i of %i', (without, frames, words) => {
  expect(withoutSourceLabel(without, frames)).toBe(words);
});
