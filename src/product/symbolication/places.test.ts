import { describe, expect, test } from 'vitest';
import type { ProjectScope } from '#product/artifacts/locate-source-map.ts';
import { Places } from './places.ts';

const scopeOf = (organizationId: number, projectId = organizationId): ProjectScope => ({
  organizationId,
  projectId,
});
const ONE = scopeOf(1);
const OTHER = scopeOf(11);

const keep = <Value>(places: Places<Value>, scope: ProjectScope, name: string, value: Value) =>
  places.keep(scope, name, value, 100, places.generationOf(scope.organizationId));

test('a place is known until its time is over', () => {
  const places = new Places<string>(10);
  keep(places, ONE, 'a', 'A');
  expect(places.find(ONE, 'a', 99)).toBe('A');
  expect(places.find(ONE, 'a', 100)).toBeUndefined();
  expect(places.find(scopeOf(1, 2), 'a', 0)).toBeUndefined();
  expect(places.find(scopeOf(2, 1), 'a', 0)).toBeUndefined();
});

describe('uploads', () => {
  test('of one organization leave the places of others', () => {
    const places = new Places<string>(10);
    keep(places, ONE, 'a', 'A');
    keep(places, scopeOf(1, 2), 'a', 'B');
    keep(places, OTHER, 'a', 'C');
    places.forget(1);
    expect([ONE, scopeOf(1, 2), OTHER].map((scope) => places.find(scope, 'a', 0))).toEqual([
      undefined,
      undefined,
      'C',
    ]);
    places.forget(null);
    expect(places.find(OTHER, 'a', 0)).toBeUndefined();
  });

  test('leave nothing that was looked up before, and only where they came', () => {
    const places = new Places<string>(10);
    const before = [ONE, OTHER].map((scope) => ({
      scope,
      generation: places.generationOf(scope.organizationId),
    }));
    const keepAll = () =>
      before.map(({ scope, generation }) => {
        places.keep(scope, 'a', 'A', 100, generation);
        return places.find(scope, 'a', 0);
      });
    places.forget(1);
    expect(keepAll()).toEqual([undefined, 'A']);
    places.forget(null);
    expect(keepAll()).toEqual([undefined, undefined]);
  });

  test('of more organizations than are told apart leave nothing out of date either', () => {
    const places = new Places<string>(10);
    places.forget(1);
    const before = [1, 20_000].map((organizationId) => places.generationOf(organizationId));
    for (let organizationId = 2; organizationId <= 10_001; organizationId++) places.forget(organizationId);
    places.forget(1);
    places.forget(20_000);
    expect(places.generationOf(1)).not.toBe(before[0]);
    expect(places.generationOf(20_000)).not.toBe(before[1]);
  });
});

describe('when there are too many', () => {
  test('what was not asked for longest makes room', () => {
    const places = new Places<number>(3);
    for (const at of [1, 2, 3]) keep(places, ONE, `n${at}`, at);
    places.find(ONE, 'n1', 0);
    keep(places, ONE, 'n4', 4);
    keep(places, ONE, 'n4', 5);
    expect([1, 2, 3, 4].map((at) => places.find(ONE, `n${at}`, 0))).toEqual([1, undefined, 3, 5]);
  });

  test('a project with many takes none from the others, and gives up some for them', () => {
    const places = new Places<number>(10);
    keep(places, OTHER, 'a', 1);
    for (let at = 0; at < 50; at++) keep(places, ONE, `n${at}`, at);
    expect(places.find(OTHER, 'a', 0)).toBe(1);
    for (const name of ['b', 'c', 'd', 'e']) keep(places, OTHER, name, 2);
    expect(['a', 'b', 'c', 'd', 'e'].map((name) => places.find(OTHER, name, 0))).toEqual([1, 2, 2, 2, 2]);
    const left = Array.from({ length: 50 }, (_, at) => places.find(ONE, `n${at}`, 0));
    expect(left.filter((value) => value !== undefined)).toEqual([45, 46, 47, 48, 49]);
    keep(places, ONE, 'n50', 50);
    expect(places.find(OTHER, 'a', 0)).toBe(1);
    expect(places.find(ONE, 'n45', 0)).toBeUndefined();
  });

  test('as many projects as places have one each, the newest ones', () => {
    const places = new Places<number>(4);
    for (let project = 1; project <= 10; project++) keep(places, scopeOf(1, project), 'a', project);
    const left = Array.from({ length: 10 }, (_, at) => places.find(scopeOf(1, at + 1), 'a', 0));
    expect(left.filter((value) => value !== undefined)).toEqual([7, 8, 9, 10]);
    places.forget(1);
    for (let at = 0; at < 4; at++) keep(places, ONE, `n${at}`, at);
    expect(places.find(ONE, 'n0', 0)).toBe(0);
  });
});
