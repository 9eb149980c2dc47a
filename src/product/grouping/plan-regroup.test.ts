import { describe, expect, test } from 'vitest';
import type { HashPair } from '#storage/ports/regroup-events.ts';
import type { HashIndex } from './grouping-change.ts';
import { planRegroup, planUndo } from './plan-regroup.ts';

const pair = (from: string, to: string, events = 1): HashPair => ({
  from,
  to,
  events,
  firstSeen: 0,
  lastSeen: events,
  title: `title of ${to}`,
});

const indexOf = (
  issueOf: Record<string, number>,
  {
    decided = {},
    heirs = {},
    standsFor = {},
  }: Partial<Record<'decided' | 'heirs' | 'standsFor', Record<string, string>>> = {},
): HashIndex => ({
  issueOf: new Map(Object.entries(issueOf)),
  counted: new Map(Object.keys(issueOf).flatMap((hash) => (hash === 'quiet' ? [] : [[hash, 1]]))),
  decided: new Map(Object.entries(decided)),
  heirs: new Map(Object.entries(heirs)),
  standsFor: new Map(Object.entries(standsFor)),
});

const targetsOf = (plan: ReturnType<typeof planRegroup>) =>
  Object.fromEntries(
    plan.moves.map(({ hash, target }) => [
      hash,
      target.kind === 'issue' ? target.issueId : `new ${target.key}`,
    ]),
  );

describe('planRegroup', () => {
  test('rules that change nothing change nothing', () => {
    const plan = planRegroup([pair('a', 'a', 3), pair('b', 'b')], indexOf({ a: 1, b: 2 }));
    expect(plan).toMatchObject({ moves: [], dissolved: [], splits: [] });
  });

  test('hashes that become one merge their issues into the one with most events, and no row moves', () => {
    const plan = planRegroup(
      [pair('a', 'x', 2), pair('b', 'x', 5), pair('c', 'c')],
      indexOf({ a: 1, b: 2, c: 3 }),
    );
    expect(targetsOf(plan)).toEqual({ a: 2, x: 2 });
    expect(plan.dissolved).toEqual([{ issueId: 1, into: { kind: 'issue', issueId: 2 } }]);
    expect(plan.splits).toEqual([]);
  });

  test('a hash that splits keeps its issue for most of its events; the rest gets a new one and other rows', () => {
    const plan = planRegroup([pair('a', 'x', 2), pair('a', 'y', 5)], indexOf({ a: 1 }));
    expect(targetsOf(plan)).toEqual({ x: 'new x', y: 1 });
    expect(plan.splits).toEqual([pair('a', 'x', 2)]);
    expect(plan.dissolved).toEqual([]);
  });

  test('a hash that some events keep goes on as it is', () => {
    const plan = planRegroup([pair('a', 'a', 1), pair('a', 'y', 5)], indexOf({ a: 1 }));
    expect(targetsOf(plan)).toEqual({ y: 'new y' });
    expect(plan.splits).toEqual([pair('a', 'y', 5)]);
  });

  test('what a person merged stays together', () => {
    const plan = planRegroup([pair('a', 'x', 2), pair('b', 'y', 5)], indexOf({ a: 1, b: 1 }));
    expect(targetsOf(plan)).toEqual({ x: 1, y: 1 });
    expect(plan.dissolved).toEqual([]);
  });

  test('a new hash that the hash index knows leads where it led', () => {
    const plan = planRegroup([pair('a', 'z', 9)], indexOf({ a: 1, z: 7 }));
    expect(targetsOf(plan)).toEqual({ a: 7 });
    expect(plan.dissolved).toEqual([{ issueId: 1, into: { kind: 'issue', issueId: 7 } }]);
  });

  test('a hash that others take over lets its own events go by row, and they keep their issue', () => {
    const plan = planRegroup([pair('a', 'k', 4), pair('g', 'a', 6)], indexOf({ a: 1, g: 2 }));
    expect(targetsOf(plan)).toEqual({ a: 2, k: 1 });
    expect(plan.splits).toEqual([pair('a', 'k', 4)]);
    expect(plan.dissolved).toEqual([]);
  });

  test('hashes without events follow the others of their issue', () => {
    const plan = planRegroup([pair('a', 'x', 1), pair('b', 'x', 5)], indexOf({ a: 1, quiet: 1, b: 2 }));
    expect(targetsOf(plan)).toEqual({ a: 2, x: 2, quiet: 2 });
  });

  test('what an earlier round decided stays decided', () => {
    const plan = planRegroup(
      [pair('a', 'x', 9)],
      indexOf({ a: 1, x: 5, y: 1 }, { decided: { a: 'y' }, standsFor: { a: 'y' } }),
    );
    expect(plan.splits).toEqual([pair('a', 'x', 9)]);
    expect(targetsOf(plan)).toEqual({});
  });

  test('a late event does not take along what an earlier round let stay', () => {
    const plan = planRegroup(
      [pair('a', 'y', 1)],
      indexOf({ a: 1, y: 7 }, { decided: { a: 'a' }, heirs: { a: 'a' } }),
    );
    expect(plan.splits).toEqual([pair('a', 'y', 1)]);
    expect(plan.dissolved).toEqual([]);
    expect(targetsOf(plan)).toEqual({});
  });

  test('what a rule had merged comes apart again when the rule goes, without a row moved', () => {
    const index = indexOf({ a: 1, b: 1, all: 1 }, { standsFor: { a: 'all', b: 'all' } });
    const plan = planRegroup([pair('a', 'a', 5), pair('b', 'b', 2)], index);
    expect(targetsOf(plan)).toEqual({ b: 'new b' });
    expect(plan).toMatchObject({ splits: [], dissolved: [] });
  });

  test('titles are of the newest event', () => {
    const plan = planRegroup([pair('a', 'x', 2), pair('b', 'x', 5)], indexOf({ a: 1, b: 2 }));
    expect(plan.titles).toEqual([
      { target: { kind: 'issue', issueId: 2 }, title: 'title of x', lastSeen: 5 },
    ]);
  });
});

const shift = (from: string, to: string, events = 1): HashPair => ({
  from,
  to,
  events,
  firstSeen: 0,
  lastSeen: 0,
  title: '',
});

const storedIndex = (issueOf: Record<string, number>, standsFor: Record<string, string> = {}): HashIndex => ({
  issueOf: new Map(Object.entries(issueOf)),
  counted: new Map(),
  standsFor: new Map(Object.entries(standsFor)),
  decided: new Map(),
  heirs: new Map(),
});

describe('planUndo', () => {
  test('every event that came between goes to its former hash, also where all of a hash go alike', () => {
    const plan = planUndo(
      [shift('all', 'a', 9), shift('all', 'b', 2), shift('a', 'a', 5)],
      storedIndex({ all: 1, a: 1, b: 2 }),
    );
    expect(plan.splits).toEqual([shift('all', 'a', 9), shift('all', 'b', 2)]);
    expect(plan).toMatchObject({ moves: [], dissolved: [] });
  });

  test('a hash that nobody knew before is an issue of its own, like the one that most of its events were in', () => {
    const plan = planUndo([shift('x', 'new', 1), shift('y', 'new', 3)], storedIndex({ x: 1, y: 2 }));
    expect(plan.moves).toEqual([{ hash: 'new', target: { kind: 'new', key: 'new', from: 2 } }]);
  });

  test('what stood for another hash before does so again', () => {
    expect(planUndo([shift('a', 'all', 4)], storedIndex({ a: 1, all: 1 }, { a: 'all' })).splits).toEqual([]);
  });

  test('events of an issue that was deleted are left alone', () => {
    expect(planUndo([shift('gone', 'a')], storedIndex({ a: 1 })).splits).toEqual([]);
  });
});
