import { expect, test } from 'vitest';
import type { Issue } from '#storage/ports/issues.ts';
import { applyIssueChange } from './issue-change.ts';

const NOW_MS = 5_000;

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
  firstSeen: 0,
  lastSeen: 0,
  timesSeen: 1,
  assignee: null,
  resolvedAt: null,
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
  const applied = applyIssueChange(issue, change, NOW_MS);
  expect(applied?.after).toMatchObject(after);
  expect(applied?.activities.map(({ type }) => type)).toEqual(activities);
});

test.each([{}, { status: 'unresolved' }, { substatus: 'new' }, { assigneeUserId: null }] as const)(
  '%o changes nothing',
  (change) => {
    expect(applyIssueChange(issue, change, NOW_MS)).toBeNull();
  },
);

test('a substatus that does not belong to the status gives way to the usual one', () => {
  const applied = applyIssueChange(issue, { status: 'archived', substatus: 'regressed' }, NOW_MS);
  expect(applied?.after.substatus).toBe('archived_until_escalating');
  expect(applyIssueChange(issue, { substatus: 'archived_forever' }, NOW_MS)).toBeNull();
});

test('an issue that is resolved already keeps the time when it was', () => {
  const resolved: Issue = { ...issue, status: 'resolved', substatus: null, resolvedAt: 1_000 };
  const applied = applyIssueChange(resolved, { status: 'resolved', assigneeUserId: 'ada' }, NOW_MS);
  expect(applied?.after.resolvedAt).toBe(1_000);
});
