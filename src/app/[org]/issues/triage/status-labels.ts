import type { ArchiveCondition, Resolution, StatusState, UnarchiveReason } from '#domain/issues/issue.ts';
import { MINUTE_MS } from '#lib/time.ts';
import { formatExact, formatPlural } from '#ui/format-number.ts';
import { formatDateTime, formatDuration } from '#ui/format-time.ts';

export type ShownStatus = Pick<StatusState, 'status' | 'substatus' | 'resolution' | 'archive'>;

/** The status of an issue in words: `Resolved in web@2.1.0`, `Archived until 100 more events`. */
export function statusLabel(
  { status, substatus, resolution, archive }: ShownStatus,
  timeZone: string,
): string {
  if (status === 'resolved') return resolution ? `Resolved${resolutionLabel(resolution)}` : 'Resolved';
  if (status === 'archived') {
    return archive ? `Archived ${conditionLabel(archive.condition, timeZone)}` : 'Archived';
  }
  return UNRESOLVED[substatus ?? 'ongoing'] ?? 'Unresolved';
}

const UNRESOLVED: Readonly<Record<string, string | undefined>> = {
  new: 'New',
  regressed: 'Regressed',
  escalating: 'Escalating',
};

/** What follows "Resolved"; empty for now. */
function resolutionLabel(resolution: Resolution): string {
  switch (resolution.kind) {
    case 'now':
      return '';
    case 'next_release':
      return ` in the release after ${resolution.after}`;
    case 'release':
      return ` in ${resolution.release}`;
    case 'commit':
      return ` in commit ${resolution.commit}`;
  }
}

/** What follows "Archived". */
export function conditionLabel(condition: ArchiveCondition, timeZone: string): string {
  switch (condition.kind) {
    case 'escalating':
      return 'until it escalates';
    case 'forever':
      return 'forever';
    case 'date':
      return `until ${formatDateTime(condition.untilMs, timeZone)}`;
    case 'events':
      return `until ${moreLabel(condition.count, 'event')}${windowLabel(condition.windowMinutes)}`;
    case 'users':
      return `until ${moreLabel(condition.count, 'user')}${windowLabel(condition.windowMinutes)}`;
  }
}

/** Why an archived issue came back. */
export function reasonLabel(reason: UnarchiveReason): string {
  switch (reason.kind) {
    case 'date':
      return 'the archive date has passed';
    case 'events':
      return `${moreLabel(reason.count, 'event')}${windowLabel(reason.windowMinutes)}`;
    case 'users':
      return `${moreLabel(reason.count, 'user')}${windowLabel(reason.windowMinutes)}`;
    case 'forecast':
      return `${formatPlural(reason.events, 'event')} in an hour, more than the forecast of ${formatExact(reason.forecast)}`;
  }
}

const moreLabel = (count: number, what: string): string =>
  `${formatExact(count)} more ${what}${count === 1 ? '' : 's'}`;

const windowLabel = (minutes: number | null): string =>
  minutes === null ? '' : ` within ${formatDuration(minutes * MINUTE_MS)}`;
