import { expect, test } from 'vitest';
import type {
  ActivityNews,
  ActivityNewsStore,
  NotificationStore,
  Telling,
} from '#storage/ports/notifications.ts';
import { tellActivities } from './tell-activities.ts';

async function told(
  news: readonly Omit<ActivityNews, 'projectId' | 'type'>[],
  off: Readonly<Record<string, readonly string[]>> = {},
): Promise<readonly Telling[]> {
  let tellings: readonly Telling[] = [];
  const activityNews = {
    tell: async (_limit, _pace, _nowMs, choose) => {
      tellings = await choose(news.map((each) => ({ ...each, projectId: 1, type: 'note' })));
      return news.length;
    },
  } as Partial<ActivityNewsStore> as ActivityNewsStore;
  const notifications = {
    listOff: async (kind, organizationId, _projectId, userIds) =>
      new Set(userIds.filter((id) => off[`${kind}:${organizationId}`]?.includes(id))),
  } as Partial<NotificationStore> as NotificationStore;
  expect(await tellActivities({ activityNews, notifications }, 0)).toBe(news.length);
  return tellings;
}

test('whoever is concerned in several ways is told once, for the strongest reason', async () => {
  const tellings = await told([
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
  expect(tellings).toEqual([
    { activityId: 7, organizationId: 1, userId: 'ana', reason: 'mentioned' },
    { activityId: 7, organizationId: 1, userId: 'ben', reason: 'subscribed' },
  ]);
});

test('the setting of the strongest reason decides, in that organization', async () => {
  const concerned = [
    { userId: 'ana', reason: 'subscribed' },
    { userId: 'ana', reason: 'mentioned' },
  ] as const;
  const news = [
    { activityId: 1, organizationId: 1, concerned },
    { activityId: 2, organizationId: 2, concerned },
  ];
  expect((await told(news, { 'mentions:1': ['ana'] })).map(({ activityId }) => activityId)).toEqual([2]);
  expect((await told(news, { 'workflow:1': ['ana'] })).map(({ activityId }) => activityId)).toEqual([1, 2]);
});
