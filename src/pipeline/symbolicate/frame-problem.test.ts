import { describe, expect, test } from 'vitest';
import type { ExceptionValue, Frame, NormalizedEvent } from '#protocol/event.ts';
import { keepSource } from './frame-problem.ts';

const bare = (lineno = 1): Frame => ({ function: 'n', filename: 'app.js', lineno });
const shown = (lineno: number, line: string | null = 'text'): Frame => ({
  function: 'f',
  filename: 'cart.ts',
  lineno,
  context_line: line,
  data: { symbolicated: true },
});
const eventOf = (...stacks: readonly (readonly Frame[])[]): NormalizedEvent => ({
  event_id: '0'.repeat(32),
  type: 'error',
  level: 'error',
  platform: 'javascript',
  timestamp: 1,
  received: 1,
  exception: {
    values: stacks.map((frames): ExceptionValue => ({ type: 'TypeError', stacktrace: { frames } })),
  },
});
const keep = (stored: readonly Frame[], anew: readonly Frame[]) =>
  keepSource(eventOf(stored), eventOf(anew)).exception?.values[0]?.stacktrace?.frames;

describe('a stack that showed source', () => {
  test('stays where one of its frames would have none', () => {
    const stored = [shown(8), bare()];
    expect(keep(stored, [bare(), shown(12)])).toEqual(stored);
  });

  test('stays where a line would lose its text', () => {
    expect(keep([shown(8)], [shown(8, null)])).toEqual([shown(8)]);
  });

  test('is another one where all of it has source, also at other places', () => {
    expect(keep([shown(8)], [shown(9, null)])).toEqual([shown(9, null)]);
    expect(keep([shown(8), bare()], [shown(8), shown(12)])).toEqual([shown(8), shown(12)]);
  });

  test('is told by the number of frames without source where calls are inlined otherwise', () => {
    expect(keep([shown(8), shown(9), bare()], [shown(8), bare()])).toEqual([shown(8), bare()]);
    expect(keep([shown(8), shown(9), bare()], [bare(), bare()])).toEqual([shown(8), shown(9), bare()]);
  });
});

test('a stack that showed none is the new one, beside one that stays', () => {
  const event = keepSource(eventOf([shown(8)], [bare()]), eventOf([bare()], [shown(12)]));
  expect(event.exception?.values.map(({ stacktrace }) => stacktrace?.frames)).toEqual([
    [shown(8)],
    [shown(12)],
  ]);
});
