import { findEscalation } from './archive-conditions.ts';
import type { ActivityType, Archive, IssueSubstatus, Resolution } from './issue.ts';
import { findRegression, type ReleaseLine } from './regression.ts';

/** A resolved or archived issue that its events open again. */
export type IssueTransition = {
  kind: 'regression' | 'escalation';
  substatus: Extract<IssueSubstatus, 'regressed' | 'escalating'>;
  activity: Extract<ActivityType, 'set_regression' | 'set_escalating'>;
  data: object;
};

/** What of an issue decides whether events open it again. Times are milliseconds since the epoch. */
export type ClosedState = {
  /** null unless resolved; so is the resolution. */
  resolvedAtMs: number | null;
  resolution: Resolution | null;
  /** null unless archived. */
  archive: Archive | null;
  escalatesAtTimesSeen: number | null;
  escalatesBeforeMs: number | null;
  /** With the events that were counted just now. */
  timesSeen: number;
};

/**
 * Whether events open an issue again: null for an open one, and while nothing shows that it is not fixed or escalates.
 * `receivedAt` is when the latest event of each release was received.
 */
export function findTransition(
  issue: ClosedState,
  receivedAt: ReadonlyMap<string | null, number>,
  line: ReleaseLine,
  nowMs: number,
): IssueTransition | null {
  const { resolution, resolvedAtMs, archive, timesSeen } = issue;
  if (resolution && resolvedAtMs !== null) {
    const release = findRegression({ resolution, resolvedAtMs }, receivedAt, line);
    if (release === undefined) return null;
    return {
      kind: 'regression',
      substatus: 'regressed',
      activity: 'set_regression',
      data: { release, resolution },
    };
  }
  if (!archive) return null;
  const reason = findEscalation({ ...issue, archive }, timesSeen, nowMs);
  return (
    reason && {
      kind: 'escalation',
      substatus: 'escalating',
      activity: 'set_escalating',
      data: { reason },
    }
  );
}
