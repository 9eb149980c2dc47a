import { expect, test } from 'vitest';
import { advanceState, type UptimeProgress } from './advance-state.ts';
import type { UptimeStatus } from './check.ts';

const NEW: UptimeProgress = { state: 'new', failuresInRow: 0, successesInRow: 0 };

/** The turns that checks lead to: `s`, `f`, `u`, and `m` for a failure in maintenance. */
function turns(checks: string, failuresMin = 3, recoveriesMin = 1): string {
  const statuses: Record<string, UptimeStatus> = { s: 'success', f: 'failure', u: 'unknown', m: 'failure' };
  let progress = NEW;
  return [...checks]
    .map((sign) => {
      const check = { status: statuses[sign]!, isInMaintenance: sign === 'm' };
      const { turn, ...next } = advanceState(progress, check, { failuresMin, recoveriesMin });
      progress = next;
      return turn === 'opened' ? 'O' : turn === 'ended' ? 'E' : '.';
    })
    .join('');
}

test.each([
  // Three in a row open, one success ends; a success between begins anew.
  ['ffs', '...'],
  ['fff', '..O'],
  ['ffsff', '.....'],
  ['ffffsfff', '..O.E..O'],
  // What says nothing neither counts nor begins anew.
  ['ffuuf', '....O'],
  ['fffus', '..O.E'],
  // In maintenance nothing opens; it does as soon as it is over.
  ['mmmm', '....'],
  ['mmmmf', '....O'],
  ['mmmms', '.....'],
])('%s → %s', (checks, expected) => {
  expect(turns(checks)).toBe(expected);
});

test('thresholds are those of the monitor', () => {
  expect(turns('fsf', 1)).toBe('OEO');
  expect(turns('fffsfss', 3, 2)).toBe('..O...E');
});

test('a monitor that was never up is new until a check succeeds or an incident opens', () => {
  const one = { failuresMin: 2, recoveriesMin: 1 };
  const failed = { status: 'failure', isInMaintenance: false } as const;
  const first = advanceState(NEW, failed, one);
  expect(first.state).toBe('new');
  expect(advanceState(first, failed, one).state).toBe('down');
  expect(advanceState(NEW, { ...failed, status: 'success' }, one).state).toBe('up');
});
