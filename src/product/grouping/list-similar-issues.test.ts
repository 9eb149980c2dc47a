import { describe, expect, test } from 'vitest';
import type { Issue } from '#domain/issues/issue.ts';
import { rankSimilar, SIMILARITY_MIN, similarityOf, wordsOf } from './list-similar-issues.ts';

describe('similarity of texts', () => {
  test('words are told apart at case and signs; numbers do not count', () => {
    expect([...wordsOf('applyCoupon failed: id 4711 in checkout/cart.ts')]).toEqual([
      'apply',
      'coupon',
      'failed',
      'id',
      'in',
      'checkout',
      'cart',
      'ts',
    ]);
  });

  test('goes from 0 for nothing in common to 1 for the same', () => {
    expect(similarityOf(wordsOf('disk is full'), wordsOf('Full is disk'))).toBe(1);
    expect(similarityOf(wordsOf('disk is full'), wordsOf('timeout'))).toBe(0);
    expect(similarityOf(wordsOf(''), wordsOf(''))).toBe(0);
  });
});

describe('similar issues', () => {
  const similar = (id: number, title: number, grouping: number | null) => ({
    issue: { id } as Issue,
    title,
    grouping,
  });
  const ranked = (...all: ReturnType<typeof similar>[]) => rankSimilar(all).map(({ issue }) => issue.id);

  test('have at least half of their message or of their stack trace in common', () => {
    const below = SIMILARITY_MIN - 0.01;
    expect(ranked(similar(1, below, below), similar(2, below, null), similar(3, 0.05, 0.05))).toEqual([]);
    expect(ranked(similar(1, SIMILARITY_MIN, 0), similar(2, 0, SIMILARITY_MIN))).toEqual([2, 1]);
    expect(ranked(similar(1, SIMILARITY_MIN, null))).toEqual([1]);
  });

  test('come best match first', () => {
    expect(ranked(similar(1, 0.6, 0), similar(2, 1, 1), similar(3, 0.2, 0.9), similar(4, 0.9, null))).toEqual(
      [2, 3, 4, 1],
    );
  });
});
