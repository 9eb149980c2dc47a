import { expect, test } from 'vitest';
import { type ClosedState, findTransition } from './transition.ts';

const open: ClosedState = {
  resolvedAtMs: null,
  resolution: null,
  archive: null,
  escalatesAtTimesSeen: null,
  escalatesBeforeMs: null,
  timesSeen: 20,
};
const resolved: ClosedState = { ...open, resolvedAtMs: 100, resolution: { kind: 'now' } };
const archived: ClosedState = {
  ...open,
  archive: {
    condition: { kind: 'events', count: 10, windowMinutes: null },
    archivedAt: 0,
    timesSeen: 5,
    userId: null,
  },
  escalatesAtTimesSeen: 15,
};

const find = (issue: ClosedState, receivedMs: number) =>
  findTransition(issue, new Map([['web@1', receivedMs]]), { package: 'web', order: () => 0 }, 0);

test('an event that was received after the issue was resolved makes it a regression', () => {
  expect(find(resolved, 101)).toEqual({
    kind: 'regression',
    substatus: 'regressed',
    activity: 'set_regression',
    data: { release: 'web@1', resolution: { kind: 'now' } },
  });
  expect(find(resolved, 100)).toBeNull();
});

test('an archived issue whose condition is met escalates', () => {
  expect(find(archived, 101)).toMatchObject({ kind: 'escalation', substatus: 'escalating' });
  expect(find({ ...archived, timesSeen: 14 }, 101)).toBeNull();
});

test('an open issue stays as it is', () => {
  expect(find(open, 101)).toBeNull();
});
