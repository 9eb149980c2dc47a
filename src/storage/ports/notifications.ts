import type { Activity, ActivityType } from '#domain/issues/issue.ts';

/**
 * What mail there is: of alert rules; for what was assigned to the reader; for comments that name them; for what happens to
 * issues that they follow; of each week.
 */
export const NOTIFICATION_KINDS = ['alerts', 'assigned', 'mentions', 'workflow', 'weekly_report'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** Where a setting counts: everywhere (both null), in an organization, in one of its projects. The narrowest one counts. */
export type NotificationPlace = { organizationId: number | null; projectId: number | null };

export type NotificationSetting = NotificationPlace & { kind: NotificationKind; isOn: boolean };

/** What each member wants mail about; without a setting it is on. Source: PostgreSQL. */
export interface NotificationStore {
  list(userId: string): Promise<readonly NotificationSetting[]>;
  /** null: as the next wider setting says. A project's place names its organization too. */
  set(userId: string, place: NotificationPlace, kind: NotificationKind, isOn: boolean | null): Promise<void>;
  /** Of these users, who has switched the kind off for that place. */
  listOff(
    kind: NotificationKind,
    organizationId: number,
    projectId: number | null,
    userIds: readonly string[],
  ): Promise<ReadonlySet<string>>;
}

/** Why an activity concerns somebody. */
export type ActivityReason = 'assigned' | 'mentioned' | 'subscribed';

/** A member who sees the project of the issue, and did not do it themselves. */
export type ConcernedUser = { userId: string; reason: ActivityReason };

export type ActivityEntry = {
  activityId: number;
  organizationId: number;
  projectId: number;
  type: ActivityType;
  /** Each reason of each user. */
  concerned: readonly ConcernedUser[];
};

/** One person who gets mail about one activity. */
export type ActivityNotification = {
  activityId: number;
  organizationId: number;
  userId: string;
  reason: ActivityReason;
};

/** When a mail about activities goes: what happens until then joins it. Milliseconds. */
export type ActivityPace = { settleMs: number; gapMs: number };

export type NotifiedActivity = Activity & {
  reason: ActivityReason;
  issue: {
    id: number;
    shortId: string;
    title: string;
    culprit: string;
    projectId: number;
    projectSlug: string;
  };
};

/** Activities that wait to be mailed to the people they concern. Source: PostgreSQL. */
export interface ActivityOutboxStore {
  /**
   * Takes the oldest entries, at most `limit`, and adds those that `choose` picks to mails, in one transaction: when it
   * throws, or the process dies, they wait as before. A mail is due `settleMs` after its first activity, and `gapMs` after
   * the mail before it to the same person of the organization. Pagers that know of an issue that ended are notified as
   * well. Answers how many there were.
   */
  notify(
    limit: number,
    pace: ActivityPace,
    nowMs: number,
    choose: (entries: readonly ActivityEntry[]) => Promise<readonly ActivityNotification[]>,
  ): Promise<number>;
  /** The activities of a mail, oldest first, of issues that still exist. */
  listNotified(
    deliveryId: string,
    limit: number,
  ): Promise<{ activities: readonly NotifiedActivity[]; total: number }>;
}

/** Reports of weeks on their way. Source: PostgreSQL. */
export interface ReportStore {
  /** Organizations where something happened in the range: events or changes of issues. */
  listActiveOrganizations(range: { fromMs: number; toMs: number }): Promise<readonly number[]>;
  /**
   * One mail for each member who wants it and has none for this week yet, due now. Answers how many.
   */
  open(organizationId: number, weekStart: number, nowMs: number): Promise<number>;
}
