import { describe, expect, it } from 'vitest';
import type { Issue } from '#domain/issues/issue.ts';
import {
  ARCHIVE_UNTIL_ESCALATING,
  applyChange,
  applyTriage,
  leavesList,
  packageLabel,
  RESOLVE_NOW,
  type TriageAction,
  type TriageState,
  triageChange,
  triageDone,
  undoOf,
} from './triage.ts';

describe('triage', () => {
  it('undoes only what the action did', () => {
    const before = {
      id: 1,
      status: 'unresolved',
      substatus: 'regressed',
      substatusAt: 5,
      resolvedAt: null,
      resolution: null,
      archive: null,
      priority: 'low',
      priorityLockedAt: null,
      assignee: { userId: 'ana', name: 'Ana', email: 'ana@example.com' },
      assigneeTeam: null,
    } as Issue;
    expect(undoOf(RESOLVE_NOW, [before])).toEqual({
      part: 'status',
      entries: [
        {
          issueId: 1,
          status: 'unresolved',
          substatus: 'regressed',
          substatusAt: 5,
          resolvedAt: null,
          resolution: null,
          archive: null,
        },
      ],
    });
    expect(undoOf({ verb: 'assign' }, [before])).toEqual({
      part: 'assignee',
      entries: [{ issueId: 1, assigneeUserId: 'ana', assigneeTeamId: null }],
    });
    expect(undoOf({ verb: 'prioritize', priority: 'high' }, [before])).toEqual({
      part: 'priority',
      entries: [{ issueId: 1, priority: 'low', priorityLockedAt: null }],
    });
  });

  it('shows an undo before the server has answered, of the same issue only', () => {
    const ana = { userId: 'ana', name: 'Ana' };
    const before: TriageState & { id: number } = {
      id: 1,
      status: 'unresolved',
      substatus: 'regressed',
      resolution: null,
      archive: null,
      priority: 'low',
      assignee: ana,
    };
    const stored = {
      ...before,
      substatusAt: 5,
      resolvedAt: null,
      priorityLockedAt: null,
    } as unknown as Issue;
    for (const action of [
      RESOLVE_NOW,
      ARCHIVE_UNTIL_ESCALATING,
      { verb: 'prioritize', priority: 'high' },
      { verb: 'unassign' },
    ] as const) {
      const changed = applyChange(before, action, ana);
      expect(changed).not.toEqual(before);
      expect(applyChange(changed, undoOf(action, [stored]), ana)).toEqual(before);
      const other = { ...changed, id: 2 };
      expect(applyChange(other, undoOf(action, [stored]), ana)).toBe(other);
    }
  });

  const ACTIONS: readonly TriageAction[] = [
    RESOLVE_NOW,
    { verb: 'resolve', resolution: { kind: 'release', release: 'web@2' } },
    { verb: 'resolve', resolution: { kind: 'commit', repository: 'r', commit: '9f2c1ab' } },
    ARCHIVE_UNTIL_ESCALATING,
    { verb: 'archive', condition: { kind: 'users', count: 3, windowMinutes: null } },
    { verb: 'unarchive' },
    { verb: 'prioritize', priority: 'low' },
    { verb: 'assign' },
  ];
  it.each(ACTIONS)('shows at once what the server will store: %o', (action) => {
    const issue: TriageState = {
      status: 'unresolved',
      substatus: 'new',
      resolution: null,
      archive: null,
      priority: 'high',
      assignee: null,
    };
    const shown = applyTriage(issue, action, { userId: 'u1', name: 'Ana' });
    const change = triageChange(action, 'u1');
    expect(shown.status).toBe(change.status ?? issue.status);
    expect(shown.resolution).toEqual(change.resolution ?? null);
    expect(shown.archive?.condition).toEqual(change.archive);
    expect(shown.priority).toBe(change.priority ?? issue.priority);
    expect(shown.assignee?.userId).toBe(change.assigneeUserId);
  });

  it('names one issue and counts several', () => {
    expect(triageDone(RESOLVE_NOW, ['WEB-3F'])).toBe('Resolved: WEB-3F');
    expect(triageDone(ARCHIVE_UNTIL_ESCALATING, ['A', 'B', 'C'])).toBe(
      'Archived until it escalates: 3 issues',
    );
  });

  it('knows when an issue leaves the list', () => {
    expect(leavesList('is:unresolved level:error', { status: 'resolved' })).toBe(true);
    expect(leavesList('is:unresolved is:regressed', { status: 'resolved' })).toBe(true);
    expect(leavesList('is:archived', { status: 'unresolved' })).toBe(true);
    expect(leavesList('!is:resolved', { status: 'resolved' })).toBe(true);
    expect(leavesList('', { status: 'resolved' })).toBe(false);
    expect(leavesList('"this:unresolved"', { status: 'resolved' })).toBe(false);
    expect(leavesList('is:resolved', { status: 'resolved' })).toBe(false);
  });
});

it('the release menu names the package that the issues share', () => {
  const web = { projectId: 1, package: 'web' };
  expect(packageLabel([web, { ...web, projectId: 2 }])).toBe(' of web');
  expect(packageLabel([web, { ...web, package: 'api' }])).toBe('');
  expect(packageLabel([web, { ...web, package: null }])).toBe('');
  expect(packageLabel([{ projectId: 1, package: null }])).toBe('');
  expect(packageLabel([{ projectId: 1 }])).toBe('');
});
