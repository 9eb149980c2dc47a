import type { TransferActivity } from '../../issue-records.ts';
import { LIST_MAX, LONG_TEXT_CHARACTERS_MAX } from '../../record-parts.ts';
import { textOf, timeOf } from '../foreign-values.ts';
import { type JsonObject, objectOf } from '../json-values.ts';
import { personOf } from '../people.ts';
import type { SentryPeople } from './people-of-sentry.ts';

/** What Sentry notes in the history of an issue; the others are left out. */
const TYPES: Readonly<Record<string, TransferActivity['type']>> = {
  note: 'note',
  first_seen: 'first_seen',
  set_resolved: 'set_resolved',
  set_resolved_by_age: 'set_resolved',
  set_resolved_in_release: 'set_resolved_in_release',
  set_resolved_in_commit: 'set_resolved_in_commit',
  set_resolved_in_pull_request: 'set_resolved',
  set_unresolved: 'set_unresolved',
  set_ignored: 'set_archived',
  set_archived: 'set_archived',
  set_regression: 'set_regression',
  set_escalating: 'set_escalating',
  set_priority: 'set_priority',
  assigned: 'assigned',
  unassigned: 'unassigned',
  auto_set_ongoing: 'auto_set_ongoing',
};

/** Oldest first, though the API lists the newest first. */
export function activitiesOf(activity: readonly JsonObject[], people: SentryPeople): TransferActivity[] {
  return activity
    .flatMap((each) => activityOf(each, people))
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .slice(-LIST_MAX);
}

function activityOf(activity: JsonObject, people: SentryPeople): readonly TransferActivity[] {
  const type = TYPES[String(activity.type)];
  const at = timeOf(activity.dateCreated);
  if (type === undefined || at === null) return [];
  const user = objectOf(activity.user);
  const data = dataOf(type, objectOf(activity.data) ?? {}, people);
  return data === null
    ? []
    : [{ id: String(activity.id), type, person: user ? personOf(user.email, user.name) : null, at, data }];
}

/** null for a comment without text. */
function dataOf(
  type: TransferActivity['type'],
  data: JsonObject,
  people: SentryPeople,
): TransferActivity['data'] | null {
  switch (type) {
    case 'note': {
      const text = textOf(data.text, LONG_TEXT_CHARACTERS_MAX);
      return text === null ? null : { text };
    }
    case 'set_resolved_in_release':
    case 'set_regression': {
      const version = textOf(data.version);
      return version === null ? {} : { version };
    }
    case 'assigned': {
      const id = String(data.assignee);
      if (data.assigneeType === 'team') return people.hasTeam(id) ? { team: id } : {};
      const email = people.emailOf(id);
      return email === null ? {} : { email };
    }
    case 'set_priority':
      return data.priority === undefined ? {} : { priority: data.priority };
    default:
      return {};
  }
}
