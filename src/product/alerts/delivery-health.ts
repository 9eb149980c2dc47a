import type { AlertReceiver } from '#domain/alerts/alert-rule.ts';
import { isGone, type ReceiverNames } from './describe-receiver.ts';

/** How messages leave: by email, or to a destination. */
export type DeliveryRoute = { kind: 'email' } | { kind: 'destination'; destinationId: number };

/** Whether messages arrive. Times are milliseconds since the epoch; a reason is a sentence that says what to do. */
export type DeliveryHealth =
  | { status: 'failing'; cause: FailureCause; reason: string; since: number | null }
  /** None failed, and some have been waiting for longer than a budget explains. */
  | { status: 'delayed'; reason: string; since: number }
  | { status: 'untested' }
  | { status: 'delivering'; lastSentAt: number };

export type FailureCause = 'no_mail_server' | 'removed' | 'nobody' | 'error';

export type DeliveryStatus = DeliveryHealth['status'];

/** The worst first. */
export const DELIVERY_STATUSES = ['failing', 'delayed', 'untested', 'delivering'] as const;

export type RouteHealth = { route: DeliveryRoute; health: DeliveryHealth };

/** Of email, and of destinations by ID. */
export type HealthByRoute = { email: DeliveryHealth; destinations: Readonly<Record<number, DeliveryHealth>> };

/** Whether the alerts of a rule arrive. */
export type RuleDelivery = {
  /** How it notifies, the worst first; never empty. */
  routes: readonly RouteHealth[];
  /** How many of its alerts failed to reach a recipient in the last 24 hours. */
  undelivered: number;
};

/** What deliveries did on a route. */
export type RouteEvidence = {
  /** null when none arrived. */
  lastSentAt: number | null;
  /** Failures since the last message that arrived; null when there are none. */
  failure: { since: number; reason: string } | null;
  /** The oldest message that waits for too long, and when it is due. */
  waiting: { since: number; dueAt: number } | null;
};

/** A message that is due leaves within seconds: after this time something is wrong. */
const OVERDUE_MS = 5 * 60_000;

export function judgeRoute({ lastSentAt, failure, waiting }: RouteEvidence, nowMs: number): DeliveryHealth {
  if (failure) return { status: 'failing', cause: 'error', ...failure };
  if (waiting) {
    const reason = waiting.dueAt < nowMs - OVERDUE_MS ? NOT_TAKEN : OVER_BUDGET;
    return { status: 'delayed', reason, since: waiting.since };
  }
  return lastSentAt === null ? { status: 'untested' } : { status: 'delivering', lastSentAt };
}

const NOT_TAKEN =
  'Messages are due and nothing sends them: your Errata administrator can check that the jobs process runs';
const OVER_BUDGET = 'The hourly message limit is used up: messages wait, and are sent when there is room';

/** How a rule with these receivers notifies; never empty. */
export function routesOf(receivers: readonly AlertReceiver[]): readonly DeliveryRoute[] {
  const destinations = receivers.filter((each) => each.kind === 'destination');
  return [
    ...destinations.map(({ destinationId }) => ({ kind: 'destination', destinationId }) as const),
    ...(destinations.length > 0 && destinations.length === receivers.length ? [] : [EMAIL]),
  ];
}

export const EMAIL: DeliveryRoute = { kind: 'email' };

/** The worst first. Email to people who are all gone fails, as does what goes to a destination that is. */
export function judgeReceivers(
  known: ReceiverNames,
  receivers: readonly AlertReceiver[],
  { email, destinations }: HealthByRoute,
): readonly RouteHealth[] {
  const people = receivers.filter(({ kind }) => kind !== 'destination');
  const isMailRead = people.some((receiver) => !isGone(known, receiver));
  const healthOf = (route: DeliveryRoute): DeliveryHealth | undefined => {
    if (route.kind === 'destination') return destinations[route.destinationId];
    return isMailRead ? email : undefined;
  };
  return worstFirst(routesOf(receivers).map((route) => ({ route, health: healthOf(route) ?? REMOVED })));
}

const REMOVED: DeliveryHealth = {
  status: 'failing',
  cause: 'removed',
  reason: 'The recipient was removed: choose who to notify instead',
  since: null,
};

/** Of those that deliver, the one that did so last. */
export const worstFirst = (routes: readonly RouteHealth[]): readonly RouteHealth[] =>
  routes.toSorted((a, b) => rank(a.health) - rank(b.health) || sentAt(b.health) - sentAt(a.health));

const rank = ({ status }: DeliveryHealth): number => DELIVERY_STATUSES.indexOf(status);
const sentAt = (health: DeliveryHealth): number => (health.status === 'delivering' ? health.lastSentAt : 0);
