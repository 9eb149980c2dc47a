import { expect, it } from 'vitest';
import { onDemand } from './on-demand.ts';

it('fetches once, however many ask', async () => {
  let fetched = 0;
  const part = onDemand(async () => {
    fetched += 1;
    return 'part';
  });
  expect(part.get()).toBeNull();
  expect(await Promise.all([part.load(), part.load()])).toEqual(['part', 'part']);
  expect(part.get()).toBe('part');
  expect(fetched).toBe(1);
});

it('may be tried again after a failure', async () => {
  let isAway = true;
  const part = onDemand(async () => {
    if (isAway) throw new Error('away');
    return 'part';
  });
  await expect(part.load()).rejects.toThrow('away');
  expect(part.get()).toBeNull();
  isAway = false;
  expect(await part.load()).toBe('part');
});
