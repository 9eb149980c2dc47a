import {
  type ArchiveCondition,
  type FormerStatus,
  isSubstatusOf,
  type ResolutionChoice,
} from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';

/** As long as the counts of a condition look back. */
export const WINDOW_MINUTES_MAX = 7 * 24 * 60;
export const CONDITION_COUNT_MAX = 1_000_000_000;
export const ARCHIVE_DAYS_MAX = 3_650;
const RELEASE_CHARACTERS_MAX = 250;
const REPOSITORY_CHARACTERS_MAX = 200;

/** Throws Invalid, naming what to write instead. */
export function checkResolution(resolution: ResolutionChoice): void {
  if (resolution.kind === 'release' && resolution.release !== null) {
    checkText(resolution.release, RELEASE_CHARACTERS_MAX, 'The release');
  }
  if (resolution.kind === 'commit') {
    checkText(resolution.repository, REPOSITORY_CHARACTERS_MAX, 'The repository');
    if (!/^[0-9a-fA-F]{7,64}$/.test(resolution.commit)) {
      throw invalid('A commit is named by 7 to 64 hexadecimal digits', 'statusDetails.inCommit.commit');
    }
  }
}

function checkText(text: string, charactersMax: number, what: string): void {
  if (text.trim() !== '' && text.length <= charactersMax) return;
  throw invalid(`${what} needs a name of 1 to ${charactersMax} characters`, 'statusDetails');
}

/** Throws Invalid, naming what to write instead. */
export function checkArchiveCondition(condition: ArchiveCondition, nowMs: number): void {
  if (condition.kind === 'date') {
    if (!(condition.untilMs > nowMs && condition.untilMs <= nowMs + ARCHIVE_DAYS_MAX * DAY_MS)) {
      throw invalid(
        `An issue is archived until a moment within the next ${ARCHIVE_DAYS_MAX} days`,
        'statusDetails',
      );
    }
  } else if (condition.kind === 'events' || condition.kind === 'users') {
    checkWhole(condition.count, CONDITION_COUNT_MAX, `The number of ${condition.kind}`);
    if (condition.windowMinutes !== null) {
      checkWhole(condition.windowMinutes, WINDOW_MINUTES_MAX, 'The window in minutes');
    }
  }
}

function checkWhole(value: number, max: number, what: string): void {
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return;
  throw invalid(`${what} is a whole number from 1 to ${max}`, 'statusDetails');
}

/** A state to go back to. Throws Invalid for what no issue can be. */
export function checkStatus({ status, substatus, resolution, resolvedAt, archive }: FormerStatus): void {
  const isResolved = status === 'resolved';
  const fits =
    (resolution !== null) === isResolved &&
    (resolvedAt !== null) === isResolved &&
    (archive !== null) === (status === 'archived') &&
    (substatus === null ? isResolved : isSubstatusOf(status, substatus));
  if (!fits) throw invalid('No issue can be in this state', 'status');
}
