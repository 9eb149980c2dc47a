import { expect, test } from 'vitest';
import { applyIssueChange, restoreIssue } from './change-issue.ts';
import type { Issue } from './issue.ts';

const NOW_MS = 5_000;
const ORIGIN = { userId: 'ada', atMs: NOW_MS, newestRelease: 'web@1.2.0' };

const issue: Issue = {
  id: 1,
  organizationId: 1,
  projectId: 1,
  projectSlug: 'web',
  shortId: 'WEB-1',
  title: 'title',
  culprit: '',
  level: 'error',
  platform: 'other',
  type: 'error',
  metadata: {},
  logger: null,
  status: 'unresolved',
  substatus: 'new',
  substatusAt: null,
  priority: 'high',
  priorityLockedAt: null,
  firstSeen: 0,
  lastSeen: 0,
  timesSeen: 1,
  assignee: null,
  assigneeTeam: null,
  resolvedAt: null,
  resolution: null,
  archive: null,
  firstRelease: null,
  lastRelease: null,
};

test.each([
  [{ status: 'resolved' }, { status: 'resolved', substatus: null, resolvedAt: NOW_MS }, ['set_resolved']],
  [{ status: 'archived' }, { status: 'archived', substatus: 'archived_until_escalating' }, ['set_archived']],
  [
    { status: 'archived', substatus: 'archived_forever' },
    { status: 'archived', substatus: 'archived_forever' },
    ['set_archived'],
  ],
  [{ substatus: 'ongoing' }, { status: 'unresolved', substatus: 'ongoing' }, ['auto_set_ongoing']],
  [{ substatus: 'escalating' }, { status: 'unresolved', substatus: 'escalating' }, ['set_unresolved']],
  [{ assigneeUserId: 'ada' }, { status: 'unresolved', assigneeUserId: 'ada' }, ['assigned']],
  [
    { status: 'resolved', assigneeUserId: 'ada' },
    { status: 'resolved', assigneeUserId: 'ada' },
    ['set_resolved', 'assigned'],
  ],
] as const)('%o makes it %o with %o', (change, after, activities) => {
  const applied = applyIssueChange(issue, change, ORIGIN);
  expect(applied?.after).toMatchObject(after);
  expect(applied?.activities.map(({ type }) => type)).toEqual(activities);
});

test.each([{}, { status: 'unresolved' }, { substatus: 'new' }, { assigneeUserId: null }] as const)(
  '%o changes nothing',
  (change) => {
    expect(applyIssueChange(issue, change, ORIGIN)).toBeNull();
  },
);

test('a substatus that does not belong to the status gives way to the usual one', () => {
  const applied = applyIssueChange(issue, { status: 'archived', substatus: 'regressed' }, ORIGIN);
  expect(applied?.after.substatus).toBe('archived_until_escalating');
  expect(applyIssueChange(issue, { substatus: 'archived_forever' }, ORIGIN)).toBeNull();
});

test('an issue that is resolved already keeps the time when it was', () => {
  const resolved: Issue = {
    ...issue,
    status: 'resolved',
    substatus: null,
    resolvedAt: 1_000,
    resolution: { kind: 'now' },
  };
  const applied = applyIssueChange(resolved, { status: 'resolved', assigneeUserId: 'ada' }, ORIGIN);
  expect(applied?.after.resolvedAt).toBe(1_000);
});

test.each([
  [undefined, { kind: 'now' }, 'set_resolved'],
  [{ kind: 'next_release' }, { kind: 'next_release', after: 'web@1.2.0' }, 'set_resolved_in_release'],
  [{ kind: 'release', release: null }, { kind: 'release', release: 'web@1.2.0' }, 'set_resolved_in_release'],
  [{ kind: 'release', release: '9' }, { kind: 'release', release: '9' }, 'set_resolved_in_release'],
  [
    { kind: 'commit', repository: 'shop/web', commit: '9f2c1ab' },
    { kind: 'commit', repository: 'shop/web', commit: '9f2c1ab' },
    'set_resolved_in_commit',
  ],
] as const)('resolving with %o is kept as %o', (resolution, kept, activity) => {
  const applied = applyIssueChange(issue, { status: 'resolved', ...(resolution && { resolution }) }, ORIGIN);
  expect(applied?.after).toMatchObject({ status: 'resolved', resolvedAt: NOW_MS, resolution: kept });
  expect(applied?.activities.map(({ type }) => type)).toEqual([activity]);
});

test.each([
  [{ kind: 'escalating' }, 'archived_until_escalating'],
  [{ kind: 'forever' }, 'archived_forever'],
  [{ kind: 'date', untilMs: 9_000 }, 'archived_until_condition_met'],
  [{ kind: 'events', count: 100, windowMinutes: null }, 'archived_until_condition_met'],
  [{ kind: 'users', count: 5, windowMinutes: 60 }, 'archived_until_condition_met'],
] as const)('archiving until %o makes it %s, counted from then on', (condition, substatus) => {
  const applied = applyIssueChange(issue, { status: 'archived', archive: condition }, ORIGIN);
  expect(applied?.after).toMatchObject({
    status: 'archived',
    substatus,
    archive: { condition, archivedAt: NOW_MS, timesSeen: 1, userId: 'ada' },
  });
});

test('another condition takes the place of the former one, the same one changes nothing', () => {
  const forever = applyIssueChange(issue, { status: 'archived', archive: { kind: 'forever' } }, ORIGIN)!;
  const archived: Issue = { ...issue, ...forever.after };
  const again = { status: 'archived', archive: { kind: 'forever' } } as const;
  expect(applyIssueChange(archived, again, { ...ORIGIN, atMs: 6_000 })).toBeNull();
  expect(applyIssueChange(archived, { status: 'archived' }, ORIGIN)).toBeNull();
  const other = { status: 'archived', archive: { kind: 'date', untilMs: 9_000 } } as const;
  expect(applyIssueChange(archived, other, ORIGIN)?.after.substatus).toBe('archived_until_condition_met');
});

test('a chosen priority stays, an automatic one goes with level and substatus', () => {
  const chosen = applyIssueChange(issue, { priority: 'low' }, ORIGIN);
  expect(chosen?.after).toMatchObject({ priority: 'low', priorityLockedAt: NOW_MS });
  expect(chosen?.activities).toEqual([{ type: 'set_priority', data: { priority: 'low', before: 'high' } }]);
  const locked: Issue = { ...issue, level: 'warning', priority: 'low', priorityLockedAt: 1 };
  expect(applyIssueChange(locked, { substatus: 'escalating' }, ORIGIN)?.after.priority).toBe('low');
  const free: Issue = { ...locked, priority: 'medium', priorityLockedAt: null };
  expect(applyIssueChange(free, { substatus: 'escalating' }, ORIGIN)?.after.priority).toBe('high');
});

test('undo puts back what was, and leaves alone what it does not name', () => {
  const archived: Issue = {
    ...issue,
    ...applyIssueChange(
      issue,
      { status: 'archived', archive: { kind: 'events', count: 3, windowMinutes: null } },
      ORIGIN,
    )!.after,
  };
  const { status, substatus, substatusAt, resolvedAt, resolution, archive } = archived;
  const resolved: Issue = {
    ...archived,
    ...applyIssueChange(archived, { status: 'resolved' }, ORIGIN)!.after,
  };
  const assigned: Issue = { ...resolved, assignee: { userId: 'bob', name: 'Bob', email: 'bob@example.com' } };
  const state = { status, substatus, substatusAt, resolvedAt, resolution, archive };
  const undone = restoreIssue(assigned, state);
  expect(undone?.after).toMatchObject({ ...state, assigneeUserId: 'bob' });
  expect(undone?.activities.map(({ type }) => type)).toEqual(['set_archived']);
  expect(restoreIssue(archived, state)).toBeNull();
});
