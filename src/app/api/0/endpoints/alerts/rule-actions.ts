import type { AlertReceiver } from '#domain/alerts/alert-rule.ts';
import { invalid } from '#lib/errors.ts';
import { describeReceiver } from '#product/alerts/describe-receiver.ts';
import type { AlertReceivers } from '#product/alerts/list-alert-rules.ts';
import type { RulePart } from '#product/alerts/sentry-rules/rule-filters.ts';
import type { DestinationKind } from '#product/destinations/destination-kinds.ts';

const MAIL = 'sentry.mail.actions.NotifyEmailAction';
const SERVICE = 'sentry.rules.actions.notify_event_service.NotifyEventServiceAction';

/** Sentry's actions that send to a place, with the field that names it; what Sentry has none for is a service. */
const PLACES: Readonly<Partial<Record<DestinationKind, { id: string; field: string }>>> = {
  slack: { id: 'sentry.integrations.slack.notify_action.SlackNotifyServiceAction', field: 'workspace' },
  discord: { id: 'sentry.integrations.discord.notify_action.DiscordNotifyServiceAction', field: 'server' },
  msteams: { id: 'sentry.integrations.msteams.notify_action.MsTeamsNotifyServiceAction', field: 'team' },
  pagerduty: {
    id: 'sentry.integrations.pagerduty.notify_action.PagerDutyNotifyServiceAction',
    field: 'account',
  },
};

/** The action of an issue rule; a place is named by the number or the name of a destination. Throws Invalid. */
export function readAction(part: RulePart, known: AlertReceivers, field: string): AlertReceiver {
  if (part.id === MAIL) return readMail(part, field);
  const named = Object.values(PLACES).find(({ id }) => id === part.id)?.field ?? 'service';
  if (named === 'service' && part.id !== SERVICE) {
    const ids = [MAIL, SERVICE, ...Object.values(PLACES).map(({ id }) => id)];
    throw invalid(
      `"${field}": ${part.id.slice(0, 120)} is not supported; supported: ${ids.join(', ')}`,
      field,
    );
  }
  return readPlace(part[named], known, `${field}.${named}`);
}

export function readPlace(value: unknown, known: AlertReceivers, field: string): AlertReceiver {
  const name = String(value ?? '');
  const found =
    known.destinations.find(({ id }) => String(id) === name) ??
    known.destinations.find((each) => each.name === name);
  if (found) return { kind: 'destination', destinationId: found.id };
  throw invalid(
    `"${field}": the organization has no destination "${name.slice(0, 80)}": use a destination ID or name`,
    field,
  );
}

function readMail(part: RulePart, field: string): AlertReceiver {
  const target = String(part.targetIdentifier ?? '');
  switch (part.targetType) {
    case 'IssueOwners':
      return { kind: 'owners', otherwise: part.fallthroughType === 'NoOne' ? 'nobody' : 'members' };
    case 'Member':
      return { kind: 'user', userId: target };
    case 'Team':
      if (/^\d{1,15}$/.test(target)) return { kind: 'team', teamId: Number(target) };
      throw invalid(`"${field}.targetIdentifier": use the team ID`, field);
    default:
      throw invalid(`"${field}.targetType": use IssueOwners, Team, or Member`, field);
  }
}

export const writeAction = (receiver: AlertReceiver, known: AlertReceivers): RulePart => ({
  ...fieldsOf(receiver, known),
  name: describeReceiver(known, receiver),
});

function fieldsOf(receiver: AlertReceiver, known: AlertReceivers): RulePart {
  switch (receiver.kind) {
    case 'owners': {
      const fallthroughType = receiver.otherwise === 'members' ? 'ActiveMembers' : 'NoOne';
      return { id: MAIL, targetType: 'IssueOwners', targetIdentifier: '', fallthroughType };
    }
    case 'user':
      return { id: MAIL, targetType: 'Member', targetIdentifier: receiver.userId };
    case 'team':
      return { id: MAIL, targetType: 'Team', targetIdentifier: receiver.teamId };
    case 'destination': {
      const kind = known.destinations.find(({ id }) => id === receiver.destinationId)?.kind;
      const place = (kind && PLACES[kind]) ?? { id: SERVICE, field: 'service' };
      return { id: place.id, [place.field]: String(receiver.destinationId) };
    }
  }
}
