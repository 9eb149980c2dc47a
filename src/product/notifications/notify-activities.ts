import type { Stores } from '#product/stores.ts';
import type { ActivityEntry, ActivityNotification, ActivityReason } from './activity-outbox-store.ts';
import { KIND_OF_REASON } from './notification-settings.ts';

/** Of one transaction. */
const ENTRIES_MAX = 500;
/** What one click does to many issues goes into one mail. */
const SETTLE_MS = 2_000;
/** Between two mails about activities to one person of an organization. */
const GAP_MS = 5 * 60_000;

/**
 * Puts what happened to issues into the mails of those whom it concerns: once each, and nobody is notified of what they did
 * themselves. Answers the number of entries taken; 0 when none wait.
 */
export async function notifyActivities(
  { activityOutbox, notifications }: Pick<Stores, 'activityOutbox' | 'notifications'>,
  nowMs: number,
): Promise<number> {
  return activityOutbox.notify(
    ENTRIES_MAX,
    { settleMs: SETTLE_MS, gapMs: GAP_MS },
    nowMs,
    async (entries) => {
      const chosen: ActivityNotification[] = [];
      for (const [organizationId, own] of Map.groupBy(entries, (each) => each.organizationId)) {
        const candidates = own.flatMap(strongestReasons);
        for (const [reason, group] of Map.groupBy(candidates, (candidate) => candidate.reason)) {
          const userIds = [...new Set(group.map(({ userId }) => userId))];
          const off = await notifications.listOff(KIND_OF_REASON[reason], organizationId, null, userIds);
          chosen.push(...group.filter(({ userId }) => !off.has(userId)));
        }
      }
      return chosen;
    },
  );
}

/** Whoever is named and follows the issue too hears of it as one who is named: that setting decides. */
const STRONGEST_FIRST: readonly ActivityReason[] = ['assigned', 'mentioned', 'subscribed'];

function strongestReasons({
  activityId,
  organizationId,
  concerned,
}: ActivityEntry): readonly ActivityNotification[] {
  const reasons = new Map<string, ActivityReason>();
  for (const reason of STRONGEST_FIRST) {
    for (const user of concerned) {
      if (user.reason === reason && !reasons.has(user.userId)) reasons.set(user.userId, reason);
    }
  }
  return [...reasons].map(([userId, reason]) => ({ activityId, organizationId, userId, reason }));
}
