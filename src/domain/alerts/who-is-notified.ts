// Who is notified when rules fire for issues, after the receivers of each rule are known: a rule stays quiet about an issue
// for its frequency, and nobody is notified of the same issue twice within a short time.

/** Who gets a message: a destination of the organization, or a user by mail. */
export type Receiver = { kind: 'destination'; destinationId: number } | { kind: 'user'; userId: string };

/** Why someone was not notified of a firing. */
export type Withheld = {
  receiver: Receiver;
  /** They were notified of the issue before, at `toldAt` (milliseconds since the epoch). Both names are stored. */
  reason: 'told_recently';
  toldAt: number;
};

/** A rule that fires for an issue. */
export type Firing = {
  ruleId: number;
  issueId: number;
  cause: string;
  /** The rule is quiet about the issue when it fired for it after this (milliseconds since the epoch). */
  quietSinceMs: number;
  receivers: readonly Receiver[];
};

/** Which destinations have incidents, and when each issue was closed last: milliseconds since the epoch. */
export type Closings = { pagers: ReadonlySet<number>; closedAt: ReadonlyMap<number, number> };

/** When receivers were notified of issues, by `notificationKey`; one whose message waits counts as notified now. */
export type Notifications = Map<string, number>;

export const notificationKey = (issueId: number, receiver: Receiver): string =>
  receiver.kind === 'user' ? `${issueId} u${receiver.userId}` : `${issueId} d${receiver.destinationId}`;

/** Whether the incident that a pager was notified of at that time is closed. False for every other receiver. */
export const wasClosed = (
  { pagers, closedAt }: Closings,
  issueId: number,
  receiver: Receiver,
  notifiedAt: number,
): boolean =>
  receiver.kind === 'destination' &&
  pagers.has(receiver.destinationId) &&
  notifiedAt <= (closedAt.get(issueId) ?? Number.NEGATIVE_INFINITY);

/**
 * The firings of rules that are not quiet about their issue, one for each rule and issue. A rule that is quiet still
 * notifies pagers whose incident was closed when the issue regressed or escalated since; it withholds the others.
 * `lastFired` is by `ruleId:issueId`, in milliseconds since the epoch.
 */
export function dropQuietFirings<Fired extends Firing>(
  firings: readonly Fired[],
  lastFired: ReadonlyMap<string, number>,
  closings: Closings,
): readonly { firing: Fired; withheld: readonly Withheld[] }[] {
  const first = new Map<string, { firing: Fired; withheld: readonly Withheld[] }>();
  for (const firing of firings) {
    const key = `${firing.ruleId}:${firing.issueId}`;
    if (first.has(key)) continue;
    const lastAt = lastFired.get(key);
    if (lastAt === undefined || lastAt <= firing.quietSinceMs) {
      first.set(key, { firing, withheld: [] });
      continue;
    }
    const isBack = firing.cause === 'regression' || firing.cause === 'escalation';
    const receivers = isBack
      ? firing.receivers.filter((receiver) => wasClosed(closings, firing.issueId, receiver, lastAt))
      : [];
    if (receivers.length === 0) continue;
    const withheld = firing.receivers
      .filter((receiver) => !receivers.includes(receiver))
      .map((receiver): Withheld => ({ receiver, reason: 'told_recently', toldAt: lastAt }));
    first.set(key, { firing: { ...firing, receivers }, withheld });
  }
  return [...first.values()];
}

/**
 * Splits the receivers of a firing into those who are notified, and those who were notified of the issue before. Adds the
 * former to `notifications`, so that the next firing of the issue finds them there.
 */
export function chooseNotified(
  { issueId, receivers }: Pick<Firing, 'issueId' | 'receivers'>,
  notifications: Notifications,
  nowMs: number,
): { notified: readonly Receiver[]; withheld: readonly Withheld[] } {
  const notified: Receiver[] = [];
  const withheld: Withheld[] = [];
  for (const receiver of receivers) {
    const key = notificationKey(issueId, receiver);
    const lastAt = notifications.get(key);
    if (lastAt === undefined) {
      notifications.set(key, nowMs);
      notified.push(receiver);
    } else {
      withheld.push({ receiver, reason: 'told_recently', toldAt: lastAt });
    }
  }
  return { notified, withheld };
}
