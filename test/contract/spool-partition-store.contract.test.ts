import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createSpoolPartitionStore, type SpoolWorker } from '#product/spool/spool-partition-store.ts';
import { openPostgresStores } from './postgres-stores.ts';

let relational: Awaited<ReturnType<typeof openPostgresStores>>;
let store: ReturnType<typeof createSpoolPartitionStore>;
beforeAll(async () => {
  relational = await openPostgresStores({ name: 'embedded PostgreSQL', url: inject('embeddedPostgresUrl') });
  store = createSpoolPartitionStore(relational.database.db);
});
afterAll(() => relational?.database.drop());

let topics = 0;
let one: SpoolWorker;
let two: SpoolWorker;
beforeEach(async () => {
  topics += 1;
  one = { topicId: `topic-${topics}`, workerId: 'one', name: 'a:9000' };
  two = { ...one, workerId: 'two', name: 'b:9000' };
  await store.prepare(one.topicId, 4);
});

const note = (partition: number, more: object = {}) => ({
  partition,
  position: 5,
  endPosition: 9,
  oldestReceivedAt: null,
  recordsPerSecond: 1.5,
  newlyLost: 0,
  trouble: null,
  ...more,
});
const numbers = (taken: readonly { partition: number }[]) => taken.map(({ partition }) => partition).sort();
const expire = (workerId: string) =>
  sql`UPDATE spool_partitions SET lease_until = now() - interval '1 second' WHERE worker_id = ${workerId}`.execute(
    relational.database.db,
  );

test('nobody gets what somebody has, also when both ask at once', async () => {
  const [first, second] = await Promise.all([store.take(one, [], 2), store.take(two, [], 4)]);
  expect(first.length).toBeLessThanOrEqual(2);
  expect(new Set([...numbers(first), ...numbers(second)]).size).toBe(first.length + second.length);
  const rest = await store.take(two, numbers(second), 4);
  expect(first.length + second.length + rest.length).toBe(4);
  expect(await store.take(one, numbers(first), 4)).toEqual([]);
});

test('a silent worker loses its partitions, and learns of it', async () => {
  expect(await store.take(one, [], 4)).toHaveLength(4);
  await store.renew(
    one,
    [0, 1, 2, 3].map((partition) => note(partition)),
  );
  await expire('one');
  const taken = await store.take(two, [], 2);
  expect(taken.every(({ isOwn }) => !isOwn)).toBe(true);
  const { kept, workers } = await store.renew(
    one,
    [0, 1, 2, 3].map((partition) => note(partition)),
  );
  expect([...kept, ...numbers(taken)].sort()).toEqual([0, 1, 2, 3]);
  expect(workers).toBe(1);
  await store.renew(
    two,
    numbers(taken).map((partition) => note(partition)),
  );
  expect((await store.renew(one, [])).workers).toBe(2);
});

test('what is released is free at once; a worker that takes its own again is told so', async () => {
  const [{ partition = -1 } = {}] = await store.take(one, [], 1);
  await store.release(two, partition);
  expect(numbers(await store.take(two, [], 4)), 'nobody releases what another has').toHaveLength(3);
  await store.release(one, partition);
  expect(await store.take(one, [], 4)).toEqual([{ partition, isOwn: true }]);
  await store.release(one, partition);
  expect(
    await store.take(
      two,
      [0, 1, 2, 3].filter((each) => each !== partition),
      4,
    ),
  ).toEqual([{ partition, isOwn: false }]);
  await store.release(two, partition);
  expect((await store.take(one, [], 1)).map(({ isOwn }) => isOwn)).toEqual([false]);
});

test('the list says who has what, how far it is, and how much was lost in all', async () => {
  const [{ partition = -1 } = {}] = await store.take(one, [], 1);
  for (const newlyLost of [3, 4])
    await store.renew(one, [
      note(partition, { newlyLost, trouble: 'no leader', oldestReceivedAt: 1_700_000_000_000 }),
    ]);
  const listed = await store.list();
  expect(listed.map((each) => each.partition)).toEqual([0, 1, 2, 3]);
  expect(listed[partition]).toMatchObject({
    owner: 'a:9000',
    position: 5,
    endPosition: 9,
    oldestReceivedAt: 1_700_000_000_000,
    recordsPerSecond: 1.5,
    lostRecords: 7,
    trouble: 'no leader',
  });
  expect(listed.filter(({ owner }) => owner === null)).toHaveLength(3);
  await expire('one');
  expect((await store.list())[partition]?.owner).toBeNull();
});

test('preparing again changes nothing, and adds partitions that the topic was given', async () => {
  await store.take(one, [], 4);
  await store.prepare(one.topicId, 6);
  expect(numbers(await store.take(two, [], 9))).toEqual([4, 5]);
  await store.leave(one);
  expect((await store.renew(two, [])).workers).toBe(1);
});
