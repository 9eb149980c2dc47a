import { describe, expect, it } from 'vitest';
import { applyTriage, leavesList, type TriageState, triageChange, triageDone, undoChange } from './triage.ts';

describe('triage', () => {
  it('undoes only what the verb did', () => {
    const before = {
      issueId: 1,
      status: 'unresolved',
      substatus: 'regressed',
      assigneeUserId: 'ana',
    } as const;
    expect(undoChange('resolve', before)).toEqual({ status: 'unresolved', substatus: 'regressed' });
    expect(undoChange('assign', before)).toEqual({ assigneeUserId: 'ana' });
  });

  it('shows at once what the server will store', () => {
    const issue = { status: 'unresolved', substatus: 'new', assignee: null } as const;
    const ana = { userId: 'u1', name: 'Ana' };
    expect(applyTriage(issue, 'resolve', ana).status).toBe(triageChange('resolve', 'u1').status);
    expect(applyTriage<TriageState>(issue, 'assign', ana).assignee?.userId).toBe(
      triageChange('assign', 'u1').assigneeUserId,
    );
  });

  it('names one issue and counts several', () => {
    expect(triageDone('resolve', ['WEB-3F'])).toBe('Resolved: WEB-3F');
    expect(triageDone('archive', ['A', 'B', 'C'])).toBe('Archived: 3 issues');
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
