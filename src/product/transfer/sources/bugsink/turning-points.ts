import type { ForeignRow } from '#storage/ports/foreign-database.ts';
import type { TransferActivity } from '../../issue-records.ts';
import { LONG_TEXT_CHARACTERS_MAX } from '../../record-parts.ts';
import { jsonObjectOf, numberOf, textOf, timeOf } from '../foreign-values.ts';
import { personOf } from '../people.ts';

/** What Bugsink calls turning points, by the number of their kind. */
const TYPES: Readonly<Record<number, TransferActivity['type']>> = {
  1: 'first_seen',
  2: 'set_resolved',
  3: 'set_archived',
  4: 'set_regression',
  5: 'set_unresolved',
  6: 'set_unresolved',
  10: 'set_resolved_in_release',
};

/** What happened, and the comment that was written with it. */
export function activitiesOf(row: ForeignRow): readonly TransferActivity[] {
  const at = timeOf(row.timestamp);
  if (at === null) return [];
  const id = String(row.id);
  const person = personOf(
    row.email,
    textOf(`${row.first_name ?? ''} ${row.last_name ?? ''}`.trim()) ?? row.username,
  );
  const activities: TransferActivity[] = [];
  const type = TYPES[numberOf(row.kind)];
  if (type !== undefined) {
    const release = releaseOf(row);
    const inRelease = type === 'set_resolved' && release !== null;
    activities.push({
      id,
      type: inRelease ? 'set_resolved_in_release' : type,
      person,
      at,
      data: release === null ? {} : { version: release },
    });
  }
  const comment = textOf(row.comment, LONG_TEXT_CHARACTERS_MAX);
  if (comment !== null)
    activities.push({ id: `${id}-comment`, type: 'note', person, at, data: { text: comment } });
  return activities;
}

function releaseOf(row: ForeignRow): string | null {
  const metadata = jsonObjectOf(row.metadata);
  return textOf(metadata?.resolved_release ?? metadata?.actual_release);
}
