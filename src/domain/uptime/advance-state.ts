import type { UptimeStatus } from './check.ts';
import type { UptimeDefinition, UptimeMonitor, UptimeState } from './monitor.ts';

export type UptimeProgress = Pick<UptimeMonitor, 'state' | 'failuresInRow' | 'successesInRow'>;

/** What a check changes; `turn` says that an incident is to be opened or ended. */
export type UptimeAdvance = {
  state: UptimeState;
  failuresInRow: number;
  successesInRow: number;
  turn: 'opened' | 'ended' | null;
};

/**
 * The state after one more check. A check that says nothing leaves everything as it is. In maintenance failures count and
 * open nothing: the first one after it does, when there were enough.
 */
export function advanceState(
  before: UptimeProgress,
  check: { status: UptimeStatus; isInMaintenance: boolean },
  { failuresMin, recoveriesMin }: Pick<UptimeDefinition, 'failuresMin' | 'recoveriesMin'>,
): UptimeAdvance {
  if (check.status === 'unknown') return { ...before, turn: null };
  if (check.status === 'success') {
    const successesInRow = before.successesInRow + 1;
    const isOver = before.state !== 'down' || successesInRow >= recoveriesMin;
    return {
      state: isOver ? 'up' : 'down',
      failuresInRow: 0,
      successesInRow,
      turn: before.state === 'down' && isOver ? 'ended' : null,
    };
  }
  const failuresInRow = before.failuresInRow + 1;
  const opens = before.state !== 'down' && failuresInRow >= failuresMin && !check.isInMaintenance;
  return {
    state: opens ? 'down' : before.state,
    failuresInRow,
    successesInRow: 0,
    turn: opens ? 'opened' : null,
  };
}
