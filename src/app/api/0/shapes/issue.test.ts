import { expect, test } from 'vitest';
import type { Issue } from '#domain/issues/issue.ts';
import type { Organization, Project } from '#domain/projects.ts';
import { HOUR_MS } from '#lib/time.ts';
import { serializeIssue, serializeIssueDetail } from './issue.ts';

const ORGANIZATION: Organization = { id: 1, slug: 'main', name: 'Main', isOpen: true, createdAt: 0 };
const PROJECT: Project = {
  id: 3,
  organizationId: 1,
  slug: 'web',
  name: 'Web shop',
  platform: 'javascript-nextjs',
  isInternal: false,
  firstEventAt: null,
  createdAt: 0,
};
const ISSUE: Issue = {
  id: 42,
  organizationId: 1,
  projectId: 3,
  projectSlug: 'web',
  shortId: 'WEB-1A',
  title: 'TypeError: boom',
  culprit: 'applyCoupon(checkout/cart)',
  level: 'error',
  platform: 'javascript',
  type: 'error',
  metadata: { type: 'TypeError', value: 'boom' },
  logger: null,
  status: 'unresolved',
  substatus: 'regressed',
  substatusAt: Date.UTC(2026, 0, 2),
  priority: 'high',
  priorityLockedAt: null,
  firstSeen: Date.UTC(2026, 0, 1),
  lastSeen: Date.UTC(2026, 0, 2, 3, 4, 5),
  timesSeen: 12_400,
  assignee: { userId: 'ana', name: 'Ana', email: 'ana@example.com' },
  assigneeTeam: null,
  resolvedAt: null,
  resolution: null,
  archive: null,
  firstRelease: 'web@1.0.0',
  lastRelease: null,
};
const AROUND = { organization: ORGANIZATION, project: PROJECT, publicUrl: 'https://errors.example.com' };
const STATS = {
  name: '24h',
  fromMs: Date.UTC(2026, 0, 2),
  bucketMs: HOUR_MS,
  activity: {
    issueId: 42,
    buckets: [0, 5, 7],
    events: 12,
    users: 3,
    firstSeen: Date.UTC(2026, 0, 2, 1),
    lastSeen: Date.UTC(2026, 0, 2, 2),
  },
};

test('an issue has the fields of the API under their names and types there', () => {
  expect(serializeIssue(ISSUE, AROUND, [STATS])).toMatchObject({
    id: '42',
    shortId: 'WEB-1A',
    title: 'TypeError: boom',
    culprit: 'applyCoupon(checkout/cart)',
    permalink: 'https://errors.example.com/main/issues/WEB-1A',
    logger: null,
    level: 'error',
    status: 'unresolved',
    substatus: 'regressed',
    statusDetails: {},
    priority: 'high',
    priorityLockedAt: null,
    isPublic: false,
    platform: 'javascript',
    project: { id: '3', slug: 'web', name: 'Web shop', platform: 'javascript-nextjs' },
    type: 'error',
    metadata: { type: 'TypeError', value: 'boom' },
    numComments: 0,
    assignedTo: { type: 'user', id: 'ana', name: 'Ana', email: 'ana@example.com' },
    isBookmarked: false,
    isSubscribed: false,
    hasSeen: false,
    annotations: [],
    count: '12400',
    userCount: 3,
    firstSeen: '2026-01-01T00:00:00.000Z',
    lastSeen: '2026-01-02T03:04:05.000Z',
  });
});

test('in a list counts are of the range, of the search beside it, and of all that is stored', () => {
  const total = STATS.activity;
  const some = { ...total, buckets: [0, 1, 0], events: 1, users: 1 };
  const listed = {
    chart: STATS,
    counts: {
      counted: { total, chart: total },
      filtered: { total: some, chart: some },
      lifetime: { ...total, users: 9 },
    },
  };
  const startSeconds = Date.UTC(2026, 0, 2) / 1_000;
  expect(serializeIssue(ISSUE, { ...AROUND, listed }, [])).toMatchObject({
    count: '12',
    userCount: 3,
    stats: {
      '24h': [
        [startSeconds, 0],
        [startSeconds + 3_600, 5],
        [startSeconds + 7_200, 7],
      ],
    },
    filtered: {
      count: '1',
      userCount: 1,
      firstSeen: '2026-01-02T01:00:00.000Z',
      stats: {
        '24h': [
          [startSeconds, 0],
          [startSeconds + 3_600, 1],
          [startSeconds + 7_200, 0],
        ],
      },
    },
    lifetime: { count: '12400', userCount: 9, lastSeen: '2026-01-02T03:04:05.000Z', stats: null },
  });
});

test('stats are pairs of Unix seconds and events, oldest first', () => {
  const startSeconds = Date.UTC(2026, 0, 2) / 1_000;
  expect(serializeIssue(ISSUE, AROUND, [STATS]).stats).toEqual({
    '24h': [
      [startSeconds, 0],
      [startSeconds + 3_600, 5],
      [startSeconds + 7_200, 7],
    ],
  });
});

test('what people read as archived is called ignored', () => {
  const archived: Issue = { ...ISSUE, status: 'archived', substatus: 'archived_forever' };
  expect(serializeIssue(archived, AROUND, [])).toMatchObject({
    status: 'ignored',
    substatus: 'archived_forever',
    stats: {},
  });
});

test.each([
  [{ kind: 'now' }, {}],
  [{ kind: 'next_release', after: 'web@1' }, { inNextRelease: true }],
  [{ kind: 'release', release: 'web@1' }, { inRelease: 'web@1' }],
  [
    { kind: 'commit', repository: 'shop/web', commit: '9f2c1ab' },
    { inCommit: { repository: 'shop/web', commit: '9f2c1ab' } },
  ],
] as const)('resolved with %o says %o', (resolution, statusDetails) => {
  const resolved: Issue = { ...ISSUE, status: 'resolved', substatus: null, resolvedAt: 0, resolution };
  expect(serializeIssue(resolved, AROUND, [])).toMatchObject({ status: 'resolved', statusDetails });
});

test.each([
  [
    { kind: 'date', untilMs: 0 },
    { ignoreUntil: '1970-01-01T00:00:00.000Z', ignoreCount: null },
  ],
  [
    { kind: 'events', count: 9, windowMinutes: 60 },
    { ignoreCount: 9, ignoreWindow: 60, ignoreUserCount: null },
  ],
  [
    { kind: 'users', count: 3, windowMinutes: null },
    { ignoreUserCount: 3, ignoreUserWindow: null, ignoreCount: null },
  ],
  [{ kind: 'escalating' }, { untilEscalating: true, ignoreUntil: null }],
] as const)('archived until %o says %o, and who did it', (condition, statusDetails) => {
  const archive = { condition, archivedAt: 0, timesSeen: 1, userId: 'ana' };
  const archived: Issue = {
    ...ISSUE,
    status: 'archived',
    substatus: 'archived_until_condition_met',
    archive,
  };
  expect(serializeIssue(archived, AROUND, []).statusDetails).toMatchObject({
    ...statusDetails,
    actor: { id: 'ana' },
  });
});

test('an issue whose project is gone still names it', () => {
  expect(serializeIssue(ISSUE, { ...AROUND, project: null }, []).project).toMatchObject({
    id: '3',
    slug: 'web',
  });
});

test('the detail adds releases, tags and what was done, archiving under its API name', () => {
  const user = { id: 'ana', name: 'Ana' };
  const detail = serializeIssueDetail(ISSUE, AROUND, [STATS], {
    activities: [
      { id: 9, issueId: 42, type: 'set_archived', user, data: {}, at: 0 },
      { id: 8, issueId: 42, type: 'first_seen', user: null, data: {}, at: 0 },
    ],
    people: { seenBy: [], subscribers: [] },
    tags: [{ key: 'browser', total: 3 }],
  });
  expect(detail).toMatchObject({
    firstRelease: { version: 'web@1.0.0' },
    lastRelease: null,
    activity: [
      { id: '9', type: 'set_ignored', user, data: {}, dateCreated: '1970-01-01T00:00:00.000Z' },
      { id: '8', type: 'first_seen', user: null },
    ],
    tags: [{ key: 'browser', name: 'browser', totalValues: 3 }],
  });
});
