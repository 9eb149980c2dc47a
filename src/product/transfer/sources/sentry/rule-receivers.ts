import type { AlertRuleRecord } from '../../alert-records.ts';
import { textOf } from '../foreign-values.ts';
import type { JsonObject } from '../json-values.ts';
import type { SentryPeople } from './people-of-sentry.ts';

export type Receiver = AlertRuleRecord['definition']['receivers'][number];

/** The service of an action by a word of its ID, and the fields that may name where it sends to. */
const PLACES: readonly (readonly [word: string, service: string, fields: readonly string[]])[] = [
  ['slack', 'slack', ['channel', 'channel_id', 'workspace']],
  ['discord', 'discord', ['channel_id', 'server']],
  ['msteams', 'msteams', ['channel', 'team']],
  ['pagerduty', 'pagerduty', ['service', 'account']],
  ['opsgenie', 'opsgenie', ['team', 'account']],
  ['notify_event_service', 'webhook', ['service']],
  ['notify_event_sentry_app', 'webhook', ['sentryAppInstallationUuid']],
];

/** Whom an action of an issue rule notifies; null for one that notifies nobody here, such as one that makes tickets. */
export function receiverOf(action: JsonObject, people: SentryPeople): Receiver | null {
  const id = String(action.id ?? '').toLowerCase();
  if (
    id.includes('notifyemailaction') ||
    (id.includes('notify_event_service') && action.service === 'mail')
  ) {
    return mailOf(
      String(action.targetType ?? 'IssueOwners'),
      String(action.targetIdentifier ?? ''),
      people,
      action,
    );
  }
  const place = PLACES.find(([word]) => id.includes(word));
  if (!place) return null;
  const [, service, fields] = place;
  const named = fields.map((field) => textOf(action[field])).find((name) => name !== null);
  return { kind: 'destination', service, name: named ?? service };
}

/** Whom an action of a trigger of a metric rule notifies. */
export function metricReceiverOf(action: JsonObject, people: SentryPeople): Receiver | null {
  const type = String(action.type ?? '');
  const target = String(action.targetIdentifier ?? '');
  if (type === 'email') return mailOf(action.targetType === 'team' ? 'Team' : 'Member', target, people, {});
  return type === '' ? null : { kind: 'destination', service: type, name: textOf(target) ?? type };
}

function mailOf(
  targetType: string,
  target: string,
  people: SentryPeople,
  action: JsonObject,
): Receiver | null {
  if (targetType === 'Team') return people.hasTeam(target) ? { kind: 'team', team: target } : null;
  if (targetType === 'Member') {
    const email = people.emailOf(target);
    return email === null ? null : { kind: 'user', email };
  }
  return { kind: 'owners', otherwise: action.fallthroughType === 'NoOne' ? 'nobody' : 'members' };
}
