import { expect, test } from 'vitest';
import type { ActivityEntry, ActivityNotification, ActivityOutboxStore } from './activity-outbox-store.ts';
import type { NotificationStore } from './notification-store.ts';
import { notifyActivities } from './notify-activities.ts';

async function notified(
  entries: readonly Omit<ActivityEntry, 'projectId' | 'type'>[],
  off: Readonly<Record<string, readonly string[]>> = {},
): Promise<readonly ActivityNotification[]> {
  let chosen: readonly ActivityNotification[] = [];
  const activityOutbox = {
    notify: async (_limit, _pace, _nowMs, choose) => {
      chosen = await choose(entries.map((each) => ({ ...each, projectId: 1, type: 'note' })));
      return entries.length;
    },
  } as Partial<ActivityOutboxStore> as ActivityOutboxStore;
  const notifications = {
    listOff: async (kind, organizationId, _projectId, userIds) =>
      new Set(userIds.filter((id) => off[`${kind}:${organizationId}`]?.includes(id))),
  } as Partial<NotificationStore> as NotificationStore;
  expect(await notifyActivities({ activityOutbox, notifications }, 0)).toBe(entries.length);
  return chosen;
}

test('whoever is concerned in several ways is told once, for the strongest reason', async () => {
  const notifications = await notified([
    {
      activityId: 7,
      organizationId: 1,
      concerned: [
        { userId: 'ana', reason: 'subscribed' },
        { userId: 'ana', reason: 'mentioned' },
        { userId: 'ben', reason: 'subscribed' },
      ],
    },
  ]);
  expect(notifications).toEqual([
    { activityId: 7, organizationId: 1, userId: 'ana', reason: 'mentioned' },
    { activityId: 7, organizationId: 1, userId: 'ben', reason: 'subscribed' },
  ]);
});

test('the setting of the strongest reason decides, in that organization', async () => {
  const concerned = [
    { userId: 'ana', reason: 'subscribed' },
    { userId: 'ana', reason: 'mentioned' },
  ] as const;
  const entries = [
    { activityId: 1, organizationId: 1, concerned },
    { activityId: 2, organizationId: 2, concerned },
  ];
  expect((await notified(entries, { 'mentions:1': ['ana'] })).map(({ activityId }) => activityId)).toEqual([
    2,
  ]);
  expect((await notified(entries, { 'workflow:1': ['ana'] })).map(({ activityId }) => activityId)).toEqual([
    1, 2,
  ]);
});
