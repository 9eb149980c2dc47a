import type { AlertReceiver } from '#storage/ports/alert-rules.ts';

/** What those that rules name are called. */
export type ReceiverNames = {
  users: readonly { id: string; name: string }[];
  teams: readonly { id: number; slug: string }[];
  destinations: readonly { id: number; name: string }[];
};

/** A receiver, or an owner, in words; what is gone says so, and is told nothing. */
export function describeReceiver(known: ReceiverNames, receiver: AlertReceiver): string {
  switch (receiver.kind) {
    case 'user':
      return known.users.find(({ id }) => id === receiver.userId)?.name ?? 'Somebody who left';
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

const OWNERS = {
  members: 'The owners of the issue, or else the members of the project',
  nobody: 'The owners of the issue',
} as const;
