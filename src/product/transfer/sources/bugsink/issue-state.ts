import type { ForeignRow } from '#storage/ports/foreign-database.ts';
import type { IssueRecord } from '../../issue-records.ts';
import { flagOf, numberOf, parsedOf, textOf, timeOf } from '../foreign-values.ts';
import { objectsOf } from '../json-values.ts';

type State = Pick<IssueRecord, 'status' | 'substatus' | 'resolution' | 'archive'>;

const PERIOD_MINUTES: Readonly<Record<string, number>> = {
  minute: 1,
  hour: 60,
  day: 1_440,
  week: 10_080,
  month: 43_200,
  year: 525_600,
};

/** One release to a line; the empty one stands for events without a release. */
export const linesOf = (value: unknown): readonly string[] =>
  String(value ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '');

/** Resolved, archived where Bugsink says muted, or unresolved. */
export function issueState(row: ForeignRow): State {
  if (flagOf(row.is_resolved)) return { ...RESOLVED, resolution: resolutionOf(row) };
  if (flagOf(row.is_muted)) return { ...ARCHIVED, archive: conditionOf(row) };
  return { status: 'unresolved', substatus: null, resolution: null, archive: null };
}

const RESOLVED = { status: 'resolved', substatus: null, archive: null } as const;
const ARCHIVED = { status: 'archived', substatus: null, resolution: null } as const;

function resolutionOf(row: ForeignRow): State['resolution'] {
  if (flagOf(row.is_resolved_by_next_release)) {
    // It is fixed in whatever comes after the last release in which it happened.
    const after = linesOf(row.events_at).at(-1);
    return after === undefined ? { kind: 'now' } : { kind: 'next_release', after };
  }
  const release = linesOf(row.fixed_at).at(-1);
  return release === undefined || flagOf(row.is_resolved_unconditionally)
    ? { kind: 'now' }
    : { kind: 'release', release };
}

/** A number of events in a window goes before a date: it is the one that may come first. */
function conditionOf(row: ForeignRow): State['archive'] {
  const [volume] = objectsOf(parsedOf(row.unmute_on_volume_based_conditions));
  const count = numberOf(volume?.volume);
  const minutes = PERIOD_MINUTES[String(volume?.period)];
  if (volume && count > 0 && minutes !== undefined) {
    return { kind: 'events', count, windowMinutes: Math.max(1, numberOf(volume.nr_of_periods)) * minutes };
  }
  const until = timeOf(row.unmute_after);
  return until === null ? { kind: 'forever' } : { kind: 'date', until };
}

/** Messages have no type of their own. */
const LOG_MESSAGE = 'Log Message';

/** Title, type and what the title is made of. */
export function describeIssue(row: ForeignRow): Pick<IssueRecord, 'title' | 'type' | 'metadata'> {
  const type = textOf(row.calculated_type) ?? '';
  const value = textOf(row.calculated_value) ?? '';
  const [line = ''] = value.split('\n');
  if (type === LOG_MESSAGE || type === '') return { title: line, type: 'default', metadata: { title: line } };
  return { title: value === '' ? type : `${type}: ${line}`, type: 'error', metadata: { type, value } };
}
