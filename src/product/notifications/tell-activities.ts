import type { ActivityNews, ActivityReason, Telling } from '#storage/ports/notifications.ts';
import type { Stores } from '#storage/ports/stores.ts';
import { KIND_OF_REASON } from './notification-kinds.ts';

/** Of one transaction. */
const NEWS_MAX = 500;
/** What one click does to many issues goes into one mail. */
const SETTLE_MS = 2_000;
/** Between two mails about activities to one person of an organization. */
const GAP_MS = 5 * 60_000;

/**
 * Puts what happened to issues into the mails of those whom it concerns: once each, and nobody is told of what they did
 * themselves. Answers how much news there was; 0 when none waits.
 */
export async function tellActivities(
  { activityNews, notifications }: Pick<Stores, 'activityNews' | 'notifications'>,
  nowMs: number,
): Promise<number> {
  return activityNews.tell(NEWS_MAX, { settleMs: SETTLE_MS, gapMs: GAP_MS }, nowMs, async (news) => {
    const tellings: Telling[] = [];
    for (const [organizationId, own] of Map.groupBy(news, (each) => each.organizationId)) {
      const candidates = own.flatMap(strongestReasons);
      for (const [reason, told] of Map.groupBy(candidates, (candidate) => candidate.reason)) {
        const userIds = [...new Set(told.map(({ userId }) => userId))];
        const off = await notifications.listOff(KIND_OF_REASON[reason], organizationId, null, userIds);
        tellings.push(...told.filter(({ userId }) => !off.has(userId)));
      }
    }
    return tellings;
  });
}

/** Whoever is named and follows the issue too hears of it as one who is named: that setting decides. */
const STRONGEST_FIRST: readonly ActivityReason[] = ['assigned', 'mentioned', 'subscribed'];

function strongestReasons({ activityId, organizationId, concerned }: ActivityNews): readonly Telling[] {
  const reasons = new Map<string, ActivityReason>();
  for (const reason of STRONGEST_FIRST) {
    for (const user of concerned) {
      if (user.reason === reason && !reasons.has(user.userId)) reasons.set(user.userId, reason);
    }
  }
  return [...reasons].map(([userId, reason]) => ({ activityId, organizationId, userId, reason }));
}
