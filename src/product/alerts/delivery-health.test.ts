import { describe, expect, test } from 'vitest';
import type { AlertReceiver } from '#domain/alerts/alert-rule.ts';
import { type HealthByRoute, judgeReceivers, judgeRoute, routesOf } from './delivery-health.ts';

const NOW = 1_000_000_000;
const MINUTE = 60_000;
const NOTHING = { lastSentAt: null, failure: null, waiting: null };

describe('a route', () => {
  test('is not tested until a message arrives', () => {
    expect(judgeRoute(NOTHING, NOW)).toEqual({ status: 'untested' });
    expect(judgeRoute({ ...NOTHING, lastSentAt: 5 }, NOW)).toEqual({ status: 'delivering', lastSentAt: 5 });
  });

  test('fails whatever arrived before, and whatever waits', () => {
    const failure = { since: 7, reason: 'Gone' };
    const waiting = { since: 1, dueAt: 2 };
    expect(judgeRoute({ lastSentAt: 5, failure, waiting }, NOW)).toEqual({
      status: 'failing',
      cause: 'error',
      ...failure,
    });
  });

  test('is delayed while messages wait, for the budget or for somebody to send them', () => {
    const delayed = (dueAt: number) =>
      judgeRoute({ lastSentAt: 5, failure: null, waiting: { since: 9, dueAt } }, NOW);
    expect(delayed(NOW + MINUTE)).toMatchObject({
      status: 'delayed',
      reason: expect.stringContaining('hourly'),
      since: 9,
    });
    expect(delayed(NOW - 6 * MINUTE)).toMatchObject({ reason: expect.stringContaining('jobs process') });
  });
});

describe('the receivers of a rule', () => {
  const KNOWN = {
    users: [{ id: 'ana', name: 'Ana' }],
    teams: [],
    destinations: [
      { id: 7, name: 'Chat' },
      { id: 8, name: 'Pager' },
    ],
  };
  const HEALTH: HealthByRoute = {
    email: { status: 'untested' },
    destinations: {
      7: { status: 'delivering', lastSentAt: 1 },
      8: { status: 'failing', cause: 'error', reason: 'Gone', since: 3 },
    },
  };
  const to = (destinationId: number): AlertReceiver => ({ kind: 'destination', destinationId });
  const user = (userId: string): AlertReceiver => ({ kind: 'user', userId });
  const statuses = (receivers: readonly AlertReceiver[]) =>
    judgeReceivers(KNOWN, receivers, HEALTH).map(({ route, health }) => [
      route.kind === 'email' ? 'email' : route.destinationId,
      health.status,
    ]);

  test('are reached over each route once, the worst first', () => {
    const receivers = [to(7), user('ana'), { kind: 'owners', otherwise: 'members' } as const, to(8)];
    expect(routesOf(receivers)).toHaveLength(3);
    expect(statuses(receivers)).toEqual([
      [8, 'failing'],
      ['email', 'untested'],
      [7, 'delivering'],
    ]);
  });

  test('that are gone fail; people only when none of them is left', () => {
    expect(statuses([to(7), to(9)])).toEqual([
      [9, 'failing'],
      [7, 'delivering'],
    ]);
    expect(statuses([user('ben')])).toEqual([['email', 'failing']]);
    expect(statuses([user('ben'), user('ana')])).toEqual([['email', 'untested']]);
    expect(statuses([])).toEqual([['email', 'failing']]);
  });
});
