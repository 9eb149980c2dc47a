import type { AlertReceiver } from '#domain/alerts/alert-rule.ts';
import type { HealthByRoute } from '#product/alerts/delivery-health.ts';
import { describeReceiver } from '#product/alerts/describe-receiver.ts';
import type { AlertReceivers } from '#product/alerts/list-alert-rules.ts';
import { describeMinutes } from '#product/measures/describe-minutes.ts';

/** Recipients and environments that a form offers. */
export type FormOptions = Pick<AlertReceivers, 'users' | 'teams'> & {
  destinations: readonly { id: number; name: string; kindName: string }[];
  /** Whether messages arrive there. */
  health: HealthByRoute;
  /** The server’s clock when this was read, in milliseconds. */
  now: number;
  /** That the project has sent. */
  environments: readonly string[];
};

const USUAL_MINUTES = [1, 5, 15, 30, 60, 360, 1_440, 10_080, 43_200];

/** Lengths of time to choose from: the usual ones, and the one that is chosen when it is none of them. */
export function windowOptions(chosen: number, usual: readonly number[] = USUAL_MINUTES) {
  const all = usual.includes(chosen) ? usual : [...usual, chosen].sort((a, b) => a - b);
  return all.map((minutes) => ({ value: String(minutes), label: describeMinutes(minutes) }));
}

type Person = { kind: 'user'; userId: string } | { kind: 'team'; teamId: number };
type Choice<T> = { key: string; label: string; hint: string; value: T };

/** A stable key, also for someone who is no longer listed. */
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

/** Teams first, so that future members are notified as well. */
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
    return { key: keyOf(value), label: describeReceiver(options, value), hint: 'By email', value };
  });
  const destinations = options.destinations.map(({ id, name, kindName }) => {
    const value = { kind: 'destination', destinationId: id } as const;
    return { key: keyOf(value), label: name, hint: kindName, value };
  });
  return [...(ruleKind === 'issue' ? owners : []), ...destinations, ...peopleChoices(options)];
}
