import { expect, test } from 'vitest';
import { MemoryBudget, MemoryExceeded } from './memory-budget.ts';

/** A body that is still arriving. */
function openArriving(budget: MemoryBudget, address: string, onLost: () => void = () => {}) {
  const lease = budget.open(address);
  lease.onGivenUp(onLost);
  return lease;
}

test('an address has half at most, and others the rest', () => {
  const budget = new MemoryBudget(100);
  const [slow, slower] = [budget.open('a'), budget.open('a')];
  slow.charge(25);
  slower.charge(25);
  expect(() => slower.charge(1)).toThrow(MemoryExceeded);
  const other = budget.open('b');
  other.charge(50);
  slow.end();
  slow.end();
  slower.charge(25);
  expect(budget.heldBytes).toBe(100);
});

test('when it is full, whoever holds less takes the oldest body of the address that holds most', () => {
  const budget = new MemoryBudget(100);
  const lost: string[] = [];
  const [first, second, other] = ['first', 'second', 'other'].map((name) =>
    openArriving(budget, name === 'other' ? 'b' : 'a', () => lost.push(name)),
  );
  first?.charge(25);
  second?.charge(25);
  other?.charge(48);
  const newcomer = openArriving(budget, 'c');
  newcomer.charge(10);
  expect([lost, budget.heldBytes]).toEqual([['first'], 83]);
  newcomer.charge(20);
  expect([lost, budget.heldBytes]).toEqual([['first', 'other'], 55]);
  // What was taken back counts no more, whatever its request still gives back.
  first?.charge(-25);
  first?.end();
  expect(budget.heldBytes).toBe(55);
  expect(() => first?.charge(1)).toThrow(MemoryExceeded);
});

test('what is no longer arriving is never taken back, nor what an address with less holds', () => {
  const budget = new MemoryBudget(100);
  const lost: string[] = [];
  const stored = openArriving(budget, 'a', () => lost.push('stored'));
  stored.charge(50);
  stored.onGivenUp(null);
  const small = openArriving(budget, 'b', () => lost.push('small'));
  small.charge(20);
  const larger = openArriving(budget, 'c', () => lost.push('larger'));
  larger.charge(30);
  expect(() => larger.charge(1)).toThrow(MemoryExceeded);
  expect(lost).toEqual([]);
  openArriving(budget, 'd').charge(10);
  expect([lost, budget.heldBytes]).toEqual([['larger'], 80]);
});
