import { describeReceiver } from '#product/alerts/describe-receiver.ts';
import type { AlertReceiver } from '#storage/ports/alert-rules.ts';
import type { FormOptions } from './form-options.ts';

type Person = { kind: 'user'; userId: string } | { kind: 'team'; teamId: number };
export type Choice<T> = { key: string; label: string; hint: string; value: T };

/** The same for what is the same, also when it is named no more. */
export function keyOf(who: AlertReceiver | Person): string {
  switch (who.kind) {
    case 'user':
      return `user:${who.userId}`;
    case 'team':
      return `team:${who.teamId}`;
    case 'destination':
      return `destination:${who.destinationId}`;
    case 'owners':
      return `owners:${who.otherwise}`;
  }
}

/** Teams first: whoever joins later is told as well. */
export function peopleChoices(options: FormOptions): readonly Choice<Person>[] {
  return [
    ...options.teams.map(({ id }) => {
      const value = { kind: 'team', teamId: id } as const;
      return { key: keyOf(value), label: describeReceiver(options, value), hint: 'Team', value };
    }),
    ...options.users.map(({ id, name, email }) => {
      const value = { kind: 'user', userId: id } as const;
      return { key: keyOf(value), label: name, hint: email, value };
    }),
  ];
}

/** A metric belongs to no issue, so that nobody owns it. */
export function receiverChoices(
  options: FormOptions,
  ruleKind: 'issue' | 'metric',
): readonly Choice<AlertReceiver>[] {
  const owners: readonly Choice<AlertReceiver>[] = (['members', 'nobody'] as const).map((otherwise) => {
    const value = { kind: 'owners', otherwise } as const;
    return { key: keyOf(value), label: describeReceiver(options, value), hint: 'By mail', value };
  });
  const destinations = options.destinations.map(({ id, name, kindName }) => {
    const value = { kind: 'destination', destinationId: id } as const;
    return { key: keyOf(value), label: name, hint: kindName, value };
  });
  return [...(ruleKind === 'issue' ? owners : []), ...destinations, ...peopleChoices(options)];
}
