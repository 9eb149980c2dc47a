import { expect, test } from 'vitest';
import { createLog } from '#lib/log.ts';
import type { SpoolPartition } from '#product/spool/spool-partition-store.ts';
import { makePartition, NOW_MS } from '../fixtures/spool-partition.ts';
import { PartitionWatch } from './watch-partitions.ts';

const log = createLog('test', 'silent');

async function checksOf(partitions: readonly SpoolPartition[]) {
  const watch = new PartitionWatch({ list: async () => partitions }, log, () => {});
  await watch.look();
  return watch.checks(NOW_MS);
}

test('a partition says who digests it, what waits, since when, how fast it goes and what was lost', async () => {
  const behind = makePartition({
    endPosition: 14,
    oldestReceivedAt: NOW_MS - 9_000,
    recordsPerSecond: 2.4,
    lostRecords: 3,
  });
  expect(await checksOf([makePartition(), { ...behind, partition: 1 }])).toEqual({
    'partition 0': { ok: true, detail: 'digested by big, 0 records wait' },
    'partition 1': {
      ok: true,
      detail:
        'digested by big, 4 records wait, the first for 9 s, 2 a second, 3 were lost before they were read',
    },
  });
});

test('what stands still is ill at once, what has no digest after a while', async () => {
  expect(
    await checksOf([
      makePartition({ trouble: 'the broker is away' }),
      makePartition({ partition: 1, owner: null }),
      makePartition({ partition: 2, owner: null, updatedAt: NOW_MS - 60_000 }),
    ]),
  ).toEqual({
    'partition 0': { ok: false, detail: 'digested by big, 0 records wait, the broker is away' },
    'partition 1': { ok: true, detail: 'no digest has it, 0 records wait' },
    'partition 2': { ok: false, detail: 'no digest has it, 0 records wait' },
  });
});

test('many partitions share a line, which names the first that is ill', async () => {
  const many = Array.from({ length: 33 }, (_, index) => makePartition({ partition: index }));
  expect(await checksOf(many)).toEqual({ partitions: { ok: true, detail: '33 are well' } });
  many[20] = makePartition({ partition: 20, trouble: 'the record is gone' });
  expect(await checksOf(many)).toEqual({
    partitions: {
      ok: false,
      detail: '1 of 33 fail, the first is 20: digested by big, 0 records wait, the record is gone',
    },
  });
});

test('while the store is away, what was known last counts', async () => {
  const told: number[] = [];
  let isAway = false;
  const store = {
    list: async () => {
      if (isAway) throw new Error('away');
      return [makePartition()];
    },
  };
  const watch = new PartitionWatch(store, log, (partitions) => told.push(partitions.length));
  await watch.look();
  isAway = true;
  await watch.look();
  expect(told).toEqual([1]);
  expect(Object.keys(watch.checks(NOW_MS))).toEqual(['partition 0']);
});

test('a look that takes long is not asked for twice', async () => {
  const { promise, resolve } = Promise.withResolvers<readonly SpoolPartition[]>();
  let asked = 0;
  const store = {
    list: () => {
      asked++;
      return promise;
    },
  };
  const watch = new PartitionWatch(store, log, () => {});
  const looks = [watch.look(), watch.look()];
  resolve([]);
  await Promise.all(looks);
  expect(asked).toBe(1);
});
