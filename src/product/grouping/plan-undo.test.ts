import { describe, expect, test } from 'vitest';
import type { HashIndex, HashPair } from '#storage/ports/regroup-plan.ts';
import { planUndo } from './plan-undo.ts';

const pair = (from: string, to: string, events = 1): HashPair => ({
  from,
  to,
  events,
  firstSeen: 0,
  lastSeen: 0,
  title: '',
});
const indexOf = (issueOf: Record<string, number>, standsFor: Record<string, string> = {}): HashIndex => ({
  issueOf: new Map(Object.entries(issueOf)),
  counted: new Map(),
  standsFor: new Map(Object.entries(standsFor)),
  decided: new Map(),
  heirs: new Map(),
});

describe('planUndo', () => {
  test('every event that came between goes to its former hash, also where all of a hash go alike', () => {
    const plan = planUndo(
      [pair('all', 'a', 9), pair('all', 'b', 2), pair('a', 'a', 5)],
      indexOf({ all: 1, a: 1, b: 2 }),
    );
    expect(plan.splits).toEqual([pair('all', 'a', 9), pair('all', 'b', 2)]);
    expect(plan).toMatchObject({ moves: [], dissolved: [] });
  });

  test('a hash that nobody knew before is an issue of its own, like the one that most of its events were in', () => {
    const plan = planUndo([pair('x', 'new', 1), pair('y', 'new', 3)], indexOf({ x: 1, y: 2 }));
    expect(plan.moves).toEqual([{ hash: 'new', target: { kind: 'new', key: 'new', from: 2 } }]);
  });

  test('what stood for another hash before does so again', () => {
    expect(planUndo([pair('a', 'all', 4)], indexOf({ a: 1, all: 1 }, { a: 'all' })).splits).toEqual([]);
  });

  test('events of an issue that was deleted are left alone', () => {
    expect(planUndo([pair('gone', 'a')], indexOf({ a: 1 })).splits).toEqual([]);
  });
});
