import { expect, test } from 'vitest';
import { PairCollector } from './pair-collector.ts';

const event = (eventId: string, hash: string, occurredAt: number) => ({
  eventId,
  hash,
  occurredAt,
  receivedAt: occurredAt,
  payload: null,
});

test('sums up pairs, notes what changes, and takes the title of the newest event', () => {
  const collector = new PairCollector();
  collector.add(event('1', 'a', 5), 'x', () => 'five');
  collector.add(event('2', 'a', 9), 'x', () => 'nine');
  collector.add(event('3', 'a', 7), 'x', () => {
    throw new Error('nobody needs this title');
  });
  collector.add(event('4', 'b', 1), 'b', () => 'one');
  expect([collector.pairCount, collector.moveCount]).toEqual([2, 3]);
  const { pairs, moves } = collector.take();
  expect(pairs).toEqual([
    { from: 'a', to: 'x', events: 3, firstSeen: 5, lastSeen: 9, title: 'nine' },
    { from: 'b', to: 'b', events: 1, firstSeen: 1, lastSeen: 1, title: 'one' },
  ]);
  expect(moves.map(({ eventId }) => eventId)).toEqual(['1', '2', '3']);
  expect(collector.take()).toEqual({ pairs: [], moves: [] });
});
