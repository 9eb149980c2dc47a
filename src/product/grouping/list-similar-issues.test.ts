import { describe, expect, test } from 'vitest';
import { similarityOf, wordsOf } from './list-similar-issues.ts';

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
