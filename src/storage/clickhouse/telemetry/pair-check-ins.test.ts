import { describe, expect, test } from 'vitest';
import type { DigestedCheckIn } from '#protocol/telemetry.ts';
import { NO_ID, nameOfCheckIn, PAIRED_WITHIN_MS, pairCheckIns } from './pair-check-ins.ts';

/** `at`, status, and an id or none. */
type Sent = readonly [at: number, status: DigestedCheckIn['status'], id?: string, environment?: string];

const updateOf = ([occurredAt, status, id, environment = 'production']: Sent): DigestedCheckIn => ({
  organizationId: 1,
  projectId: 2,
  keyId: 3,
  receivedAt: occurredAt,
  checkInId: id ? id.repeat(32) : NO_ID,
  monitorSlug: 'nightly',
  status,
  environment,
  occurredAt,
  durationMs: null,
  traceId: null,
  monitorConfig: null,
});

/** Times of the beginnings, each with that of its end. */
function pairsOf(sent: readonly Sent[]): Record<number, number> {
  const updates = sent.map(updateOf);
  const { ends } = pairCheckIns(updates);
  return Object.fromEntries(
    updates.flatMap((update) => {
      const end = update.status === 'in_progress' ? ends.get(nameOfCheckIn(update)) : undefined;
      return end ? [[update.occurredAt, end.occurredAt]] : [];
    }),
  );
}

describe('an end without an id', () => {
  test.each<[string, readonly Sent[], Record<number, number>]>([
    [
      'ends the check-in before it',
      [
        [1, 'in_progress'],
        [2, 'ok'],
      ],
      { 1: 2 },
    ],
    [
      'ends one each',
      [
        [1, 'in_progress'],
        [2, 'ok'],
        [3, 'error'],
        [4, 'in_progress'],
        [5, 'error'],
      ],
      { 1: 2, 4: 5 },
    ],
    [
      'ends the latest that is open',
      [
        [1, 'in_progress'],
        [2, 'in_progress'],
        [3, 'ok'],
        [4, 'ok'],
      ],
      { 2: 3, 1: 4 },
    ],
    [
      'ends one with an id',
      [
        [1, 'in_progress', 'a'],
        [2, 'ok'],
      ],
      { 1: 2 },
    ],
    [
      'leaves one with an id that has ended',
      [
        [1, 'in_progress'],
        [2, 'in_progress', 'a'],
        [3, 'ok', 'a'],
        [4, 'ok'],
      ],
      { 1: 4 },
    ],
    [
      'is of its environment',
      [
        [1, 'in_progress'],
        [2, 'ok', undefined, 'staging'],
      ],
      {},
    ],
    [
      'may be of the same moment, and arrive first',
      [
        [1, 'ok'],
        [1, 'in_progress'],
      ],
      { 1: 1 },
    ],
    [
      'does not end what began long ago',
      [
        [0, 'in_progress'],
        [PAIRED_WITHIN_MS + 1, 'ok'],
      ],
      {},
    ],
  ])('%s', (_, sent, pairs) => {
    expect(pairsOf(sent)).toEqual(pairs);
    expect(pairsOf([...sent].reverse())).toEqual(pairs);
  });
});
