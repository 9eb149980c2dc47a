import { describe, expect, it } from 'vitest';
import { comparePulse, type IssuePulse } from './issue-pulse.ts';

const shown: IssuePulse = {
  timesSeen: 5,
  status: 'resolved',
  substatusAt: 1,
  priority: 'high',
  assigneeUserId: null,
  assigneeTeamId: null,
  newestActivity: '3',
};

describe('comparePulse', () => {
  it('tells a regression from mere new events', () => {
    expect(comparePulse(shown, { ...shown, timesSeen: 8 })).toEqual({ isStateNew: false, newEvents: 3 });
    expect(comparePulse(shown, { ...shown, timesSeen: 6, status: 'unresolved', substatusAt: 2 })).toEqual({
      isStateNew: true,
      newEvents: 1,
    });
    expect(comparePulse(shown, { ...shown, assigneeUserId: 'ana' }).isStateNew).toBe(true);
    expect(comparePulse(shown, { ...shown, assigneeTeamId: 7 }).isStateNew).toBe(true);
    expect(comparePulse(shown, { ...shown, newestActivity: '4' }).isStateNew).toBe(true);
    expect(comparePulse(shown, { ...shown, priority: 'low' }).isStateNew).toBe(true);
  });

  it('is quiet when nothing changed', () => {
    expect(comparePulse(shown, shown)).toEqual({ isStateNew: false, newEvents: 0 });
  });
});
