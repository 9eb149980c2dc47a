import type { ArchiveCondition, Resolution, ReturnReason } from '#storage/ports/issue-states.ts';
import type { LifeState } from '#storage/ports/issues.ts';
import { formatExact, formatPlural } from '#ui/format-number.ts';
import { formatDateTime, formatDuration } from '#ui/format-time.ts';

const MINUTE_MS = 60_000;
const COMMIT_CHARACTERS = 12;

/** Where an issue stands, in words: `Resolved in web@2.1.0`, `Archived until 100 more events`. */
export function lifeWords(
  {
    status,
    substatus,
    resolution,
    archive,
  }: Pick<LifeState, 'status' | 'substatus' | 'resolution' | 'archive'>,
  timeZone: string,
): string {
  if (status === 'resolved') return resolution ? `Resolved${resolutionWords(resolution)}` : 'Resolved';
  if (status === 'archived') {
    return archive ? `Archived ${conditionWords(archive.condition, timeZone)}` : 'Archived';
  }
  return UNRESOLVED[substatus ?? 'ongoing'] ?? 'Unresolved';
}

const UNRESOLVED: Readonly<Record<string, string | undefined>> = {
  new: 'New',
  regressed: 'Regressed',
  escalating: 'Escalating',
};

/** What follows "Resolved"; empty for now. */
export function resolutionWords(resolution: Resolution): string {
  switch (resolution.kind) {
    case 'now':
      return '';
    case 'next_release':
      return ` in the release after ${resolution.after}`;
    case 'release':
      return ` in ${resolution.release}`;
    case 'commit':
      return ` in commit ${resolution.commit.slice(0, COMMIT_CHARACTERS)}`;
  }
}

/** What follows "Archived". */
export function conditionWords(condition: ArchiveCondition, timeZone: string): string {
  switch (condition.kind) {
    case 'escalating':
      return 'until it escalates';
    case 'forever':
      return 'forever';
    case 'date':
      return `until ${formatDateTime(condition.untilMs, timeZone)}`;
    case 'events':
      return `until ${moreWords(condition.count, 'event')}${windowWords(condition.windowMinutes)}`;
    case 'users':
      return `until ${moreWords(condition.count, 'user')}${windowWords(condition.windowMinutes)}`;
  }
}

/** Why an archived issue came back. */
export function reasonWords(reason: ReturnReason): string {
  switch (reason.kind) {
    case 'date':
      return 'the date that it was archived until has come';
    case 'events':
      return `${moreWords(reason.count, 'event')}${windowWords(reason.windowMinutes)}`;
    case 'users':
      return `${moreWords(reason.count, 'user')}${windowWords(reason.windowMinutes)}`;
    case 'forecast':
      return `${formatPlural(reason.events, 'event')} in an hour, where at most ${formatExact(reason.forecast)} were expected`;
  }
}

const moreWords = (count: number, what: string): string =>
  `${formatExact(count)} more ${what}${count === 1 ? '' : 's'}`;

const windowWords = (minutes: number | null): string =>
  minutes === null ? '' : ` within ${formatDuration(minutes * MINUTE_MS)}`;
