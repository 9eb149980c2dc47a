import { expect, it, test } from 'vitest';
import type { Frame, NormalizedEvent } from '#protocol/event.ts';
import { collectProblems, withoutSourceLabel } from './source-problems.tsx';

const without = (reason: object): Frame => ({ data: { source_problem: reason } });
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

it('tells each reason once, the most frequent first, over all stacks', () => {
  const event = eventOf({
    exception: {
      values: [{ stacktrace: { frames: [without({ reason: 'no_position' }), missing, {}] } }, {}],
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

it('has nothing to tell of an event without stacks', () => {
  expect(collectProblems(eventOf({}))).toEqual({ frames: 0, without: 0, reasons: [] });
});

test.each([
  [1, 1, 'The frame shows no source'],
  [2, 2, 'None of the 2 frames shows its source'],
  [1, 2, '1 of 2 frames shows no source'],
  [2, 3, '2 of 3 frames show no source'],
])('%i of %i', (without, frames, words) => {
  expect(withoutSourceLabel(without, frames)).toBe(words);
});
