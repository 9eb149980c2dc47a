import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compareShapes } from './compare-shapes.ts';
import { anything } from './reference/primitives.ts';

const TEAM = z.looseObject({
  id: z.string(),
  avatar: z.looseObject({ type: z.string() }).nullable(),
  entry: z.union([z.looseObject({ a: z.string(), b: z.string() }), z.looseObject({ c: z.string() })]),
  data: anything,
});
const GOOD = { id: '1', avatar: null, entry: { c: '' }, data: 1, more: true };

describe('shapes', () => {
  test('what fits has no difference, whatever it has besides', () => {
    expect(compareShapes(z.array(TEAM), [GOOD, GOOD])).toEqual([]);
  });

  test('each difference is told once, with its place', () => {
    const bad = { id: 1, avatar: {}, entry: {} };
    expect(compareShapes(z.array(TEAM), [bad, bad])).toEqual([
      '[].avatar.type: missing',
      '[].data: missing',
      '[].entry.c: missing',
      '[].id: number instead of string',
    ]);
  });

  test('null is told apart from what is missing', () => {
    expect(compareShapes(TEAM, { ...GOOD, id: null })).toEqual(['id: null instead of string']);
  });
});
