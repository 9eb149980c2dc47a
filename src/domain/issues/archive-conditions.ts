import type { Archive, ArchiveCondition, IssueSubstatus, UnarchiveReason } from './issue.ts';

export const SUBSTATUS_OF_CONDITION: Readonly<Record<ArchiveCondition['kind'], IssueSubstatus>> = {
  escalating: 'archived_until_escalating',
  forever: 'archived_forever',
  date: 'archived_until_condition_met',
  events: 'archived_until_condition_met',
  users: 'archived_until_condition_met',
};

/**
 * What is known of a condition when the issue is archived: the moment at which the issue returns (milliseconds), and
 * the count of events that brings it back. Conditions with a window, of users or with a forecast are looked up later.
 */
export function thresholdsOf(archive: Archive | null): {
  untilMs: number | null;
  escalatesAtTimesSeen: number | null;
} {
  const condition = archive?.condition;
  const isCounted = condition?.kind === 'events' && condition.windowMinutes === null;
  return {
    untilMs: condition?.kind === 'date' ? condition.untilMs : null,
    escalatesAtTimesSeen: archive && isCounted ? archive.timesSeen + condition.count : null,
  };
}

/** Why an archived issue escalates with the event that makes its count `timesSeen`; null while it does not. */
export function findEscalation(
  archived: {
    archive: Archive;
    escalatesAtTimesSeen: number | null;
    /** Milliseconds; null for good. */
    escalatesBeforeMs: number | null;
  },
  timesSeen: number,
  nowMs: number,
): UnarchiveReason | null {
  const { archive, escalatesAtTimesSeen, escalatesBeforeMs } = archived;
  if (escalatesAtTimesSeen === null || timesSeen < escalatesAtTimesSeen) return null;
  if (escalatesBeforeMs !== null && nowMs >= escalatesBeforeMs) return null;
  const { condition, forecast = 0 } = archive;
  if (condition.kind === 'events') return { ...condition };
  // The count that was set is the first one beyond the forecast.
  return { kind: 'forecast', forecast, events: forecast + 1 + timesSeen - escalatesAtTimesSeen };
}
