import { describe, expect, test } from 'vitest';
import type { HashIndex } from '#product/grouping/grouping-change.ts';
import type { HashPair } from '#storage/ports/regroup-events.ts';
import { planReprocess } from './plan-reprocess.ts';

const pair = (from: string, to: string, events = 1): HashPair => ({
  from,
  to,
  events,
  firstSeen: 1,
  lastSeen: 2,
  title: `${to} title`,
});

/** Each hash with its issue and the events that were counted under it. */
const mapOf = (hashes: Readonly<Record<string, readonly [issueId: number, events: number]>>): HashIndex => ({
  issueOf: new Map(Object.entries(hashes).map(([hash, [issueId]]) => [hash, issueId])),
  counted: new Map(
    Object.entries(hashes).flatMap(([hash, [, events]]) => (events > 0 ? [[hash, events]] : [])),
  ),
  standsFor: new Map(),
  decided: new Map(),
  heirs: new Map(),
});

const issue = (issueId: number) => ({ kind: 'issue', issueId }) as const;

describe('a new hash', () => {
  test('continues the issue of the old one, also where older events stay', () => {
    const plan = planReprocess([pair('old', 'new', 3)], mapOf({ old: [1, 10] }));
    expect(plan).toMatchObject({ moves: [{ hash: 'new', target: issue(1) }], dissolved: [] });
    expect(plan.splits).toEqual([pair('old', 'new', 3)]);
    expect(plan.successors.size).toBe(0);
  });

  test('that the map knows leads where it led, and an issue without events goes there', () => {
    const plan = planReprocess([pair('old', 'new', 3)], mapOf({ old: [1, 3], empty: [1, 0], new: [2, 5] }));
    expect(plan.dissolved).toEqual([{ issueId: 1, into: issue(2) }]);
    expect(plan.moves).toEqual([
      { hash: 'old', target: issue(2) },
      { hash: 'empty', target: issue(2) },
    ]);
  });

  test('of several old ones is of the issue with most of its events', () => {
    const plan = planReprocess([pair('a', 'new', 1), pair('b', 'new', 4)], mapOf({ a: [1, 1], b: [2, 4] }));
    expect(plan.dissolved).toEqual([{ issueId: 1, into: issue(2) }]);
    expect(plan.moves).toContainEqual({ hash: 'new', target: issue(2) });
  });

  test('of fewer events of a hash that meant several errors is an issue of its own', () => {
    const plan = planReprocess([pair('old', 'x', 5), pair('old', 'y', 2)], mapOf({ old: [1, 7] }));
    expect(plan.moves).toEqual([
      { hash: 'x', target: issue(1) },
      { hash: 'y', target: { kind: 'new', key: 'y', from: 1 } },
    ]);
    expect(plan.dissolved).toEqual([]);
  });
});

describe('what stays', () => {
  test('an issue whose older events were dropped keeps its count', () => {
    const plan = planReprocess([pair('old', 'new', 3)], mapOf({ old: [1, 9], new: [2, 5] }));
    expect(plan).toMatchObject({ moves: [], dissolved: [] });
  });

  test('events that have other frames and the same hash', () => {
    const plan = planReprocess([pair('old', 'old', 3)], mapOf({ old: [1, 3] }));
    expect(plan).toMatchObject({ moves: [], dissolved: [], splits: [] });
    expect(plan.titles).toEqual([{ target: issue(1), title: 'old title', lastSeen: 2 }]);
  });

  test('rows that stand for the hash already', () => {
    const map = { ...mapOf({ old: [1, 3], new: [1, 0] }), standsFor: new Map([['old', 'new']]) };
    expect(planReprocess([pair('old', 'new', 3)], map).splits).toEqual([]);
  });

  test('events of an issue that was deleted are left alone', () => {
    expect(planReprocess([pair('gone', 'new', 3)], mapOf({}))).toMatchObject({ moves: [], splits: [] });
  });
});
