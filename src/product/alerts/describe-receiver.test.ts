import { expect, test } from 'vitest';
import type { AlertReceiver } from '#domain/alerts/alert-rule.ts';
import { describeReceiver, notifiesNobody } from './describe-receiver.ts';

const KNOWN = {
  users: [{ id: 'ana', name: 'Ana' }],
  teams: [{ id: 3, slug: 'web' }],
  destinations: [{ id: 7, name: 'Shop' }],
};
const GONE: readonly AlertReceiver[] = [
  { kind: 'user', userId: 'ben' },
  { kind: 'team', teamId: 4 },
  { kind: 'destination', destinationId: 8 },
];

test.each<[AlertReceiver, string]>([
  [{ kind: 'user', userId: 'ana' }, 'Ana'],
  [{ kind: 'team', teamId: 3 }, '#web'],
  [{ kind: 'destination', destinationId: 7 }, 'Shop'],
  [{ kind: 'owners', otherwise: 'nobody' }, 'Issue owners'],
])('a rule that tells %j beside those who left tells somebody', (receiver, name) => {
  expect(describeReceiver(KNOWN, receiver)).toBe(name);
  expect(notifiesNobody(KNOWN, [...GONE, receiver])).toBe(false);
});

test('a rule whose receivers are all gone tells nobody', () => {
  expect(GONE.map((receiver) => describeReceiver(KNOWN, receiver))).toEqual([
    'A member who left',
    'A team that was deleted',
    'A destination that was removed',
  ]);
  expect(notifiesNobody(KNOWN, GONE)).toBe(true);
});
