import { describe, expect, test } from 'vitest';
import { breadcrumb, deadClick, mouseMove, request } from '../../../../../test/harness/sample-replay.ts';
import {
  type Entry,
  findCurrent,
  findIdleSpans,
  formatClock,
  isActivity,
  readEntry,
  skipTarget,
} from './timeline.ts';

const ORIGIN = 1_764_000_000_000;
const read = (event: unknown) => readEntry(event, ORIGIN);

describe('what happened', () => {
  test.each([
    [
      breadcrumb(ORIGIN + 1_000, { category: 'ui.click', message: 'body > a' }),
      { kind: 'click', at: 1_000, text: 'body > a' },
    ],
    [deadClick(ORIGIN + 2_000, 1), { kind: 'dead-click', at: 2_000, level: 'warning' }],
    [deadClick(ORIGIN + 2_000, 5), { kind: 'rage-click', title: 'Rage click, 5 times' }],
    [
      breadcrumb(ORIGIN, { category: 'ui.multiClick', data: { clickCount: 6 } }),
      { kind: 'rage-click', title: 'Rage click, 6 times' },
    ],
    [breadcrumb(ORIGIN, { category: 'ui.multiClick', data: { clickCount: 2 } }), { kind: 'click' }],
    [
      breadcrumb(ORIGIN, { category: 'navigation', data: { to: '/cart' } }),
      { kind: 'navigation', text: '/cart' },
    ],
    [
      breadcrumb(ORIGIN, { category: 'console', level: 'error', message: 'no cart' }),
      { kind: 'console', level: 'error', text: 'no cart' },
    ],
    [
      request(ORIGIN + 3_000, 'https://shop.example/api', 500),
      {
        kind: 'network',
        at: 3_000,
        level: 'error',
        request: { method: 'POST', status: 500, bytes: 1_234, durationMs: 250 },
      },
    ],
    [
      {
        type: 5,
        data: {
          tag: 'performanceSpan',
          payload: { op: 'memory', startTimestamp: ORIGIN / 1_000, data: { memory: { usedJSHeapSize: 42 } } },
        },
      },
      { kind: 'memory', heapBytes: 42 },
    ],
  ])('%#', (event, entry) => {
    expect(read(event)).toMatchObject(entry);
  });

  test.each([
    null,
    'x',
    {},
    { data: { tag: 'options' } },
    { data: { tag: 'breadcrumb', payload: null } },
    mouseMove(1, 1, 1),
  ])('%j tells nothing', (event) => {
    expect(read(event)).toBeNull();
  });
});

describe('pauses', () => {
  test('are longer than 10 seconds, between activity and at the ends', () => {
    expect(findIdleSpans([12_000, 13_000, 40_000], 55_000)).toEqual([
      { from: 0, to: 12_000 },
      { from: 13_000, to: 40_000 },
      { from: 40_000, to: 55_000 },
    ]);
    expect(findIdleSpans([5_000, 10_000], 20_000)).toEqual([]);
  });

  test('are skipped to shortly before their end, but not at once and not when they are nearly over', () => {
    const spans = [{ from: 13_000, to: 40_000 }];
    expect(skipTarget(spans, 13_500)).toBeNull();
    expect(skipTarget(spans, 14_000)).toBe(39_000);
    expect(skipTarget(spans, 39_000)).toBeNull();
    expect(skipTarget(spans, 50_000)).toBeNull();
  });

  test('end with what a person did', () => {
    expect(isActivity({ type: 3, data: { source: 1 } })).toBe(true);
    expect(isActivity({ type: 3, data: { source: 0 } })).toBe(false);
    expect(isActivity({ type: 4, data: {} })).toBe(false);
  });
});

test('the entry of a moment is the last that has happened', () => {
  const entries = [0, 1_000, 1_000, 5_000].map((at) => ({ at }) as Entry);
  expect([-1, 0, 999, 1_000, 4_999, 9_999].map((at) => findCurrent(entries, at))).toEqual([
    -1, 0, 0, 2, 2, 3,
  ]);
});

test('times are written as clocks', () => {
  expect([0, 65_900, 3_723_000, -5].map(formatClock)).toEqual(['0:00', '1:05', '1:02:03', '0:00']);
});
