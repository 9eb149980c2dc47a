import { expect, test } from 'vitest';
import { invalid, unavailable } from '#lib/errors.ts';
import { askInParts } from './ask-in-parts.ts';

const ITEMS = Array.from({ length: 1_000 }, (_, index) => index);

/** A store for which some items are too much, and that counts how often that cost its time. */
function storeWith(tooMuch: readonly number[]) {
  const spent = { failures: 0, looks: 0 };
  const ask = async (part: readonly number[]) => {
    spent.looks++;
    if (part.some((item) => tooMuch.includes(item))) {
      spent.failures++;
      throw invalid('It needs more than its time', 'query');
    }
    return part.map((item) => item * 2);
  };
  return { spent, ask };
}

test('what is too much answers for itself alone, and is found soon', async () => {
  const { spent, ask } = storeWith([537]);
  const { answers, tooMuch } = await askInParts(ITEMS, ask, () => true);
  expect([...tooMuch]).toEqual([537]);
  expect(answers.size).toBe(999);
  expect(answers.get(536)).toBe(1_072);
  expect(spent.failures).toBe(5);
  expect(spent.looks).toBeLessThan(40);
});

test('what there was no time for has no answer', async () => {
  const { spent, ask } = storeWith(ITEMS);
  const { answers, tooMuch } = await askInParts(ITEMS, ask, () => spent.failures < 5);
  expect([answers.size, tooMuch.size, spent.looks]).toEqual([0, 1, 5]);
});

test('a store that is away throws', async () => {
  const away = () => Promise.reject(unavailable('ClickHouse is away'));
  await expect(askInParts(ITEMS, away, () => true)).rejects.toThrow('away');
  const none = await askInParts([], away, () => false);
  expect(none.answers.size).toBe(0);
});
