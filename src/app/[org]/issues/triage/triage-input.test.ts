import { expect, test } from 'vitest';
import { TRIAGE_INPUT, UNDO_INPUT } from './triage-input.ts';

const archiving = (condition: object) =>
  TRIAGE_INPUT.safeParse({
    organizationSlug: 'main',
    action: { verb: 'archive', condition },
    issueIds: [1],
  }).success;

test.each([
  { kind: 'date', untilMs: -1 },
  { kind: 'date', untilMs: 8.7e15 },
  { kind: 'date', untilMs: 1.5 },
  { kind: 'events', count: 0, windowMinutes: null },
  { kind: 'events', count: 1e10, windowMinutes: null },
  { kind: 'users', count: 1, windowMinutes: 10_081 },
  { kind: 'users', count: 1, windowMinutes: 0 },
  { kind: 'never' },
])('archiving until %j is refused', (condition) => {
  expect(archiving(condition)).toBe(false);
});

test.each([
  { kind: 'forever' },
  { kind: 'date', untilMs: 1_800_000_000_000 },
  { kind: 'users', count: 1_000_000_000, windowMinutes: 10_080 },
])('archiving until %j is taken', (condition) => {
  expect(archiving(condition)).toBe(true);
});

const LIFE = {
  issueId: 1,
  status: 'archived',
  substatus: 'archived_forever',
  substatusAt: 1,
  resolvedAt: null,
  resolution: null,
};
const ARCHIVE = { condition: { kind: 'forever' }, archivedAt: 1, timesSeen: 1 };

const undoing = (archive: object) =>
  UNDO_INPUT.safeParse({
    organizationSlug: 'main',
    restoration: { part: 'status', entries: [{ ...LIFE, archive }] },
  });

test('an undo says nothing about who archived an issue', () => {
  const { data } = undoing({ ...ARCHIVE, userId: 'somebody else' });
  expect(data?.restoration.entries[0]).toEqual({ ...LIFE, archive: ARCHIVE });
});

test.each([
  { ...ARCHIVE, archivedAt: 8.7e15 },
  { ...ARCHIVE, timesSeen: -1 },
  { ...ARCHIVE, condition: { kind: 'events', count: -5, windowMinutes: null } },
])('an undo to %j is refused', (archive) => {
  expect(undoing(archive).success).toBe(false);
});
