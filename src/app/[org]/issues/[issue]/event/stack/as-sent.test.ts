import { expect, it } from 'vitest';
import { marksOf, metaAt } from '#app/[org]/issues/[issue]/event/scrub-marks.tsx';
import type { NormalizedEvent } from '#protocol/event.ts';
import { asSent, hasSentFrames } from './as-sent.ts';

const mark = { '': { rem: [['@password:filter', 's', 0, 10]] } };
const event: NormalizedEvent = {
  event_id: 'a'.repeat(32),
  type: 'error',
  level: 'error',
  platform: 'javascript',
  timestamp: 0,
  received: 0,
  exception: {
    values: [
      { type: 'Plain', stacktrace: { frames: [{ function: 'plain' }] } },
      {
        type: 'Mapped',
        stacktrace: { frames: [{ function: 'applyCoupon' }] },
        raw_stacktrace: { frames: [{ function: 'a' }] },
      },
    ],
  },
  threads: {
    values: [
      {
        id: 1,
        stacktrace: { frames: [{ function: 'run' }] },
        raw_stacktrace: { frames: [{ function: 'b' }] },
      },
    ],
  },
  _meta: {
    user: { id: mark },
    exception: { values: { 1: { value: mark, raw_stacktrace: { frames: { 0: { vars: mark } } } } } },
  },
};

it('shows what was sent where frames were taken to their sources', () => {
  const functions = asSent(event).exception?.values.map((value) => value.stacktrace?.frames[0]?.function);
  expect(functions).toEqual(['plain', 'a']);
  expect(asSent(event).threads?.values[0]?.stacktrace?.frames[0]?.function).toBe('b');
});

it('takes the marks of what was sent along, and keeps all others', () => {
  const { _meta } = asSent(event);
  expect(marksOf(metaAt(_meta, 'exception', 'values', 1, 'stacktrace', 'frames', 0, 'vars'))).toHaveLength(1);
  expect(marksOf(metaAt(_meta, 'exception', 'values', 1, 'value'))).toHaveLength(1);
  expect(marksOf(metaAt(_meta, 'user', 'id'))).toHaveLength(1);
});

it('tells whether there is anything to switch to', () => {
  expect(hasSentFrames(event)).toBe(true);
  expect(hasSentFrames({ ...event, exception: null })).toBe(true);
  expect(hasSentFrames({ ...event, exception: { values: [{ type: 'E' }] }, threads: null })).toBe(false);
});
