import { expect, test } from 'vitest';
import { HOUR_MS } from '#lib/time.ts';
import { BodySampler } from './body-sampler.ts';

const NOON_MS = 1_790_000_000_000 - (1_790_000_000_000 % HOUR_MS);
const spike = { isEnabled: true, bodiesPerHour: 20 };
const event = (change: Partial<{ projectId: number; groupingHash: string; receivedAt: number }> = {}) => ({
  projectId: 1,
  groupingHash: 'a',
  receivedAt: NOON_MS,
  ...change,
});

/** How many of the next events keep their body. */
function kept(
  sampler: BodySampler,
  count: number,
  change: Parameters<typeof event>[0] = {},
  settings = spike,
): number {
  let bodies = 0;
  for (let index = 0; index < count; index++) if (sampler.keepsBody(event(change), settings)) bodies += 1;
  return bodies;
}

test('every body up to the threshold, then every tenth, then every hundredth', () => {
  const sampler = new BodySampler();
  expect(kept(sampler, 20)).toBe(20);
  expect(kept(sampler, 180)).toBe(18);
  expect(kept(sampler, 1_000)).toBe(10);
});

test('within any hundred events at least one has a body', () => {
  const sampler = new BodySampler();
  let without = 0;
  for (let index = 0; index < 5_000; index++) {
    without = sampler.keepsBody(event(), spike) ? 0 : without + 1;
    expect(without).toBeLessThan(100);
  }
});

test('every issue, every project and every hour counts for itself', () => {
  const sampler = new BodySampler();
  kept(sampler, 1_000);
  expect(kept(sampler, 1)).toBe(0);
  expect(kept(sampler, 20, { groupingHash: 'b' })).toBe(20);
  expect(kept(sampler, 20, { projectId: 2 })).toBe(20);
  expect(kept(sampler, 20, { receivedAt: NOON_MS + HOUR_MS })).toBe(20);
});

test('an event of an earlier hour keeps its body, and does not begin the count anew', () => {
  const sampler = new BodySampler();
  kept(sampler, 20);
  expect(kept(sampler, 1, { receivedAt: NOON_MS - HOUR_MS })).toBe(1);
  expect(kept(sampler, 1)).toBe(0);
});

test('switched off, it keeps everything', () => {
  expect(kept(new BodySampler(), 500, {}, { isEnabled: false, bodiesPerHour: 1 })).toBe(500);
});

test('the number of issues is bounded: those silent longest are forgotten first', () => {
  const sampler = new BodySampler(2);
  const one = { isEnabled: true, bodiesPerHour: 1 };
  const send = (groupingHash: string) => kept(sampler, 1, { groupingHash }, one);
  expect([send('a'), send('b'), send('a'), send('c')]).toEqual([1, 1, 0, 1]);
  expect([send('a'), send('b')]).toEqual([0, 1]);
});

test('digests that share the events of an issue keep as many bodies together as one would', () => {
  const spike = { isEnabled: true, bodiesPerHour: 100 };
  const samplers = [1, 2, 3].map(() => {
    const sampler = new BodySampler();
    sampler.shareWith(3);
    return sampler;
  });
  const alone = kept(new BodySampler(), 600, {}, spike);
  const together = samplers.reduce((sum, sampler) => sum + kept(sampler, 200, {}, spike), 0);
  expect(Math.abs(together - alone)).toBeLessThanOrEqual(4);
});
