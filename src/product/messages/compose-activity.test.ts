import { expect, test } from 'vitest';
import { describeActivity } from './compose-activity.ts';

type Said = Parameters<typeof describeActivity>[0];
const CRON = { type: 'monitor_check_in_failure' } as const;
const ANA = { id: 'ana', name: 'Ana' };

test.each<[Said, string]>([
  [
    { type: 'note', user: ANA, data: { text: 'Look\n\nhere @ben' }, reason: 'mentioned' },
    'Ana mentioned you: Look here @ben',
  ],
  [{ type: 'note', user: null, data: { text: 'Old' }, reason: 'subscribed' }, 'Someone wrote: Old'],
  [
    { type: 'assigned', user: ANA, data: { assigneeUserId: 'ben' }, reason: 'assigned' },
    'Ana assigned it to you',
  ],
  [
    { type: 'assigned', user: null, data: { assigneeTeamId: 4 }, reason: 'assigned' },
    'Assigned to one of your teams by the ownership rules',
  ],
  [
    { type: 'assigned', user: ANA, data: { assigneeUserId: 'cleo' }, reason: 'subscribed' },
    'Ana assigned it to someone else',
  ],
  [{ type: 'set_resolved', user: ANA, data: {}, reason: 'subscribed' }, 'Ana resolved it'],
  [
    { type: 'set_resolved_in_release', user: null, data: { version: 'web@2.0.0' }, reason: 'subscribed' },
    'Resolved in web@2.0.0',
  ],
  [
    {
      type: 'set_resolved_in_commit',
      user: ANA,
      data: { commit: '9f2c1ab'.repeat(6), repository: 'acme/web' },
      reason: 'subscribed',
    },
    'Ana resolved it with commit 9f2c1ab9f2c… of acme/web',
  ],
  [
    { type: 'set_regression', user: null, data: { release: 'web@2.1.0' }, reason: 'subscribed' },
    'Regressed in web@2.1.0 after it was resolved',
  ],
  [{ type: 'set_resolved', user: null, data: {}, reason: 'subscribed', issue: CRON }, 'Recovered'],
  [{ type: 'set_resolved', user: ANA, data: {}, reason: 'subscribed', issue: CRON }, 'Ana resolved it'],
  [{ type: 'set_regression', user: null, data: {}, reason: 'subscribed', issue: CRON }, 'Failing again'],
])('%j', (activity, words) => {
  expect(describeActivity(activity, 'ben')).toBe(words);
});

test('a long comment is cut, and its lines cannot become others', () => {
  const text = `${'x'.repeat(2_000)}\r\nBcc: all@example.com`;
  const words = describeActivity({ type: 'note', user: ANA, data: { text }, reason: 'subscribed' }, 'ben');
  expect(words.length).toBeLessThan(600);
  expect(words).not.toMatch(/[\r\n]/);
});
