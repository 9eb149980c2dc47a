import type { AlertReceiver } from '#domain/alerts/alert-rule.ts';

/** What those that rules name are called. */
export type ReceiverNames = {
  users: readonly { id: string; name: string }[];
  teams: readonly { id: number; slug: string }[];
  destinations: readonly { id: number; name: string }[];
};

/** A receiver, or an owner, in words; what is gone says so, and is not notified. */
export function describeReceiver(known: ReceiverNames, receiver: AlertReceiver): string {
  switch (receiver.kind) {
    case 'user':
      return known.users.find(({ id }) => id === receiver.userId)?.name ?? 'A member who left';
    case 'team': {
      const team = known.teams.find(({ id }) => id === receiver.teamId);
      return team ? `#${team.slug}` : 'A team that was deleted';
    }
    case 'destination':
      return (
        known.destinations.find(({ id }) => id === receiver.destinationId)?.name ??
        'A destination that was removed'
      );
    case 'owners':
      return OWNERS[receiver.otherwise];
  }
}

/** Whether the rule notifies nobody any more: all whom it names are gone. */
export const notifiesNobody = (known: ReceiverNames, receivers: readonly AlertReceiver[]): boolean =>
  receivers.every((receiver) => isGone(known, receiver));

/** Owners are found for each issue: they are never gone. */
export function isGone(known: ReceiverNames, receiver: AlertReceiver): boolean {
  switch (receiver.kind) {
    case 'user':
      return !known.users.some(({ id }) => id === receiver.userId);
    case 'team':
      return !known.teams.some(({ id }) => id === receiver.teamId);
    case 'destination':
      return !known.destinations.some(({ id }) => id === receiver.destinationId);
    case 'owners':
      return false;
  }
}

const OWNERS = {
  members: 'Issue owners, or project members if there are no owners',
  nobody: 'Issue owners',
} as const;
