import { expect, test } from 'vitest';
import { reasonLabel, statusLabel } from './status-labels.ts';

const NOTHING = { resolution: null, archive: null };
const archived = (
  condition: Parameters<typeof statusLabel>[0]['archive'] extends infer A | null
    ? A extends { condition: infer C }
      ? C
      : never
    : never,
) =>
  statusLabel(
    {
      status: 'archived',
      substatus: 'archived_until_condition_met',
      resolution: null,
      archive: { condition, archivedAt: 0, timesSeen: 0, userId: null },
    },
    'UTC',
  );

test.each([
  [{ kind: 'escalating' }, 'Archived until it escalates'],
  [{ kind: 'forever' }, 'Archived forever'],
  [{ kind: 'date', untilMs: Date.UTC(2026, 0, 31, 12) }, 'Archived until Jan 31, 2026, 12:00:00 UTC'],
  [{ kind: 'events', count: 1_200, windowMinutes: null }, 'Archived until 1,200 more events'],
  [{ kind: 'events', count: 1, windowMinutes: 60 }, 'Archived until 1 more event within 1 hour'],
  [{ kind: 'users', count: 10, windowMinutes: 1_440 }, 'Archived until 10 more users within 1 day'],
] as const)('%o: %s', (condition, words) => {
  expect(archived(condition)).toBe(words);
});

test.each([
  [{ kind: 'now' }, 'Resolved'],
  [{ kind: 'next_release', after: 'web@1.0' }, 'Resolved in the release after web@1.0'],
  [{ kind: 'release', release: 'web@1.0' }, 'Resolved in web@1.0'],
  [{ kind: 'commit', repository: 'r', commit: '9f2c1ab09f2c1ab0' }, 'Resolved in commit 9f2c1ab09f2c1ab0'],
] as const)('%o: %s', (resolution, words) => {
  expect(statusLabel({ status: 'resolved', substatus: null, resolution, archive: null }, 'UTC')).toBe(words);
});

test('what is open is called by what is special about it', () => {
  const open = { status: 'unresolved', ...NOTHING } as const;
  expect(statusLabel({ ...open, substatus: 'escalating' }, 'UTC')).toBe('Escalating');
  expect(statusLabel({ ...open, substatus: 'ongoing' }, 'UTC')).toBe('Unresolved');
});

test('an hour that passed its forecast says both numbers', () => {
  expect(reasonLabel({ kind: 'forecast', events: 1_500, forecast: 130 })).toBe(
    '1,500 events in an hour, more than the forecast of 130',
  );
});
