import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareShapes } from './compare-shapes.ts';
import { allows, DIFFERENCES, isAt } from './differences.ts';
import { NOT_COVERED, REFERENCE } from './reference.ts';
import { openReferenceScene, type ReferenceScene } from './reference-scene.ts';

const COVERED = Object.keys(REFERENCE).filter((operation) => !(operation in NOT_COVERED));

describe('the public reference', () => {
  let scene: ReferenceScene;
  const found: { operation: string; difference: string }[] = [];
  beforeAll(async () => {
    scene = await openReferenceScene();
  });
  afterAll(async () => {
    await scene?.product.close();
  });

  test.each(COVERED)('%s', async (operation) => {
    const { statuses, answer } = REFERENCE[operation]!;
    const { status, body } = await scene.ask(operation, scene.filled[operation]);
    const differences = [
      ...(statuses.includes(status) ? [] : [`status: ${status} instead of ${statuses.join(' or ')}`]),
      ...(answer ? compareShapes(answer, body) : []),
      ...(Array.isArray(body) && body.length === 0 && answer ? ['an empty list says nothing'] : []),
    ];
    found.push(...differences.map((difference) => ({ operation, difference })));
    expect(differences.filter((each) => !DIFFERENCES.some((told) => allows(told, operation, each)))).toEqual(
      [],
    );
  });

  test('every difference that is told of is one', () => {
    const past = DIFFERENCES.flatMap(({ of, parts }) =>
      parts.filter((part) => !found.some((each) => of.test(each.operation) && isAt(each.difference, part))),
    );
    expect(past).toEqual([]);
  });

  test('what is not covered is not there', () => {
    expect(Object.keys(NOT_COVERED).filter((operation) => !(operation in REFERENCE))).toEqual([]);
    expect(Object.keys(NOT_COVERED).filter((operation) => scene.has(operation))).toEqual([]);
  });

  test('at least 120 operations are covered', () => {
    expect(COVERED.length).toBeGreaterThanOrEqual(120);
  });
});
