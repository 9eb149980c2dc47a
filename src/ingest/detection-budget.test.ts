import { expect, test } from 'vitest';
import { HOUR_MS } from '#lib/time.ts';
import { DetectionBudget } from './detection-budget.ts';

const HOUR = 490_000 * HOUR_MS;

test('above the budget nothing more is looked for, until the next hour', () => {
  const budget = new DetectionBudget(3);
  budget.spend(1, HOUR, 10, 2);
  expect(budget.hasRoom(1, HOUR, 11)).toBe(true);
  budget.spend(1, HOUR, 11, 2);
  expect(budget.hasRoom(1, HOUR + HOUR_MS - 1, 12)).toBe(false);
  expect(budget.hasRoom(2, HOUR, 12)).toBe(true);
  expect(budget.hasRoom(1, HOUR + HOUR_MS, 13)).toBe(true);
  budget.spend(1, HOUR + HOUR_MS, 13, 1);
  expect(budget.hasRoom(1, HOUR + HOUR_MS, 14)).toBe(true);
});

test('records that come again get the same answer and are counted once', () => {
  const budget = new DetectionBudget(3);
  for (const position of [1, 2, 3]) budget.spend(1, HOUR, position, 1);
  const answers = [1, 2, 3, 4].map((position) => budget.hasRoom(1, HOUR, position));
  expect(answers).toEqual([true, true, true, false]);
  const twice = new DetectionBudget(3);
  for (const position of [1, 2, 1, 2]) twice.spend(1, HOUR, position, 1);
  expect(twice.hasRoom(1, HOUR, 3)).toBe(true);
});

test('only so many projects are counted at the same time', () => {
  const budget = new DetectionBudget(1, 2);
  for (const projectId of [1, 2, 3]) budget.spend(projectId, HOUR, projectId, 1);
  expect([1, 2, 3].map((projectId) => budget.hasRoom(projectId, HOUR, 9))).toEqual([true, false, false]);
});
