import { tracingChannel } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseKafkaAddress } from '#lib/kafka-address.ts';
import { openDiskBlobStore } from '#storage/disk/blob-store.ts';
import { openTopic } from '#storage/kafka/connect-kafka.ts';
import { openKafkaReader } from '#storage/kafka/kafka-reader.ts';
import { openKafkaWriter } from '#storage/kafka/open-kafka-writer.ts';
import { type KafkaCluster, kafkaMissing, startKafkaCluster } from '../../harness/kafka-cluster.ts';
import { until } from '../../harness/until.ts';
import { describeSpool, readAtLeast } from '../spool-suite.ts';

const missing = kafkaMissing();
const named = (name: string) => (missing === null ? name : `${name} (skipped: ${missing})`);
const MIB = 1024 * 1024;
const LIMITS = { records: 10_000, bytes: 1e9 };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'errata-kafka-blobs-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let topics = 0;
const settingsOf = (cluster: KafkaCluster, options = 'partitions=1') => {
  topics += 1;
  const auth = { username: null, password: null, authority: null };
  return {
    ...parseKafkaAddress(`kafka://${cluster.brokers.join(',')}/errata-${topics}?${options}`),
    ...auth,
  };
};
const blobs = () => openDiskBlobStore(path.join(folder, 'blobs'));
const writing = () => ({ blobs: blobs(), waitingBytesMax: 64 * MIB });

describe.skipIf(missing !== null)(named('the spool on one broker'), { timeout: 120_000 }, () => {
  let cluster: KafkaCluster;
  beforeAll(async () => {
    cluster = await startKafkaCluster(1);
  }, 120_000);
  afterAll(() => cluster?.remove());

  for (const compression of ['lz4', 'zstd', 'none']) {
    describe(`with compression ${compression}`, () => {
      describeSpool(async () => {
        const settings = settingsOf(cluster, `partitions=1&compression=${compression}`);
        await openTopic(settings);
        const readers: { close(): Promise<void> }[] = [];
        return {
          openWriter: () => openKafkaWriter(settings, writing()),
          async openReader(position) {
            const source = await openKafkaReader(settings, blobs());
            readers.push(source);
            return source.open(0, position);
          },
          async close() {
            await Promise.all(readers.map((reader) => reader.close()));
          },
        };
      });
    });
  }

  test('makes its topic, takes one that is there, and says what is weak about it', async () => {
    const settings = settingsOf(cluster, 'partitions=7');
    const [one, two] = await Promise.all([openTopic(settings), openTopic(settings)]);
    expect(one).toMatchObject({ partitions: 7, batchBytesMax: 8 * MIB });
    expect(two.id).toBe(one.id);
    expect(one.weaknesses.join()).toMatch(/one broker has each record/);
  });

  test('a topic of small messages sends larger records through the blob store, and leaves none there', async () => {
    const settings = settingsOf(cluster);
    const admin = cluster.admin();
    await admin.createTopics({
      topics: [settings.topic],
      partitions: 1,
      replicas: 1,
      configs: [{ name: 'max.message.bytes', value: String(100_000) }],
    });
    await admin.close();
    const writer = await openKafkaWriter(settings, writing());
    const record = Buffer.alloc(3 * MIB, 'y');
    await Promise.all([
      writer.append([Buffer.from('small')], { projectId: 3, eventId: null }),
      writer.append([record], { projectId: 3, eventId: null }),
      ...Array.from({ length: 20 }, () =>
        writer.append([Buffer.alloc(50_000)], { projectId: 3, eventId: null }),
      ),
    ]);
    expect((await blobs().listUsage()).map(({ projectId, blobs: count }) => [projectId, count])).toEqual([
      [3, 1],
    ]);
    const source = await openKafkaReader(settings, blobs());
    const reader = source.open(0, 0);
    const read = await readAtLeast(reader, 0, 22);
    expect(read.filter(({ bytes }) => Buffer.from(bytes).equals(record))).toHaveLength(1);
    await reader.acknowledge(22);
    expect(await blobs().listUsage()).toEqual([]);
    await Promise.all([source.close(), writer.close()]);
  });

  test('a partition in which nothing happens is known to be complete all the same', async () => {
    const settings = settingsOf(cluster, 'partitions=2');
    await openTopic(settings);
    const source = await openKafkaReader(settings, blobs());
    const idle = [source.open(0, 0), source.open(1, 0)];
    await until('both ends', () => idle.every((reader) => reader.state().knownAt > 0));
    const since = Date.now();
    await until('both ends again', () => idle.every((reader) => reader.state().knownAt > since));
    await source.close();
  });

  test('an answer that comes late is not taken for one to a partition that was opened again', async () => {
    const settings = settingsOf(cluster);
    const writer = await openKafkaWriter(settings, writing());
    for (let record = 0; record < 5; record++) await writer.append([Buffer.from(String(record))]);
    const source = await openKafkaReader(settings, blobs());
    const first = source.open(0, 5);
    await until('the end', () => first.state().knownAt > 0);
    // The broker is asked for what comes next, and waits for it.
    await delay(100);
    await first.close();
    const second = source.open(0, 2);
    await writer.append([Buffer.from('5')]);
    const read = await readAtLeast(second, 2, 4);
    expect(second.lostUpTo()).toBeNull();
    expect(read.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['2', '3', '4', '5']);
    await Promise.all([source.close(), writer.close()]);
  });

  test('one event id meets the same partition, whoever writes; the others are spread', async () => {
    const settings = settingsOf(cluster, 'partitions=4');
    const [one, two] = [
      await openKafkaWriter(settings, writing()),
      await openKafkaWriter(settings, writing()),
    ];
    const ids = Array.from({ length: 40 }, (_, index) => index.toString(16).padStart(32, '0'));
    for (const writer of [one, two])
      await Promise.all(
        ids.map((eventId) => writer.append([Buffer.from(eventId)], { projectId: 9, eventId })),
      );
    const source = await openKafkaReader(settings, blobs());
    let filled = 0;
    for (let partition = 0; partition < 4; partition++) {
      const reader = source.open(partition, 0);
      await delay(1_500);
      const texts = reader.read(0, LIMITS).map(({ bytes }) => Buffer.from(bytes).toString());
      for (const text of texts) expect(texts.filter((each) => each === text)).toHaveLength(2);
      if (texts.length > 0) filled += 1;
    }
    expect(filled).toBe(4);
    await Promise.all([source.close(), one.close(), two.close()]);
  });

  test('records that the log no longer has are told as lost, and reading goes on behind them', async () => {
    const settings = settingsOf(cluster);
    const writer = await openKafkaWriter(settings, writing());
    for (let index = 0; index < 10; index++) await writer.append([Buffer.from(String(index))]);
    const admin = cluster.admin();
    await admin.deleteRecords({
      topics: [{ name: settings.topic, partitions: [{ partition: 0, offset: 6n }] }],
    });
    const source = await openKafkaReader(settings, blobs());
    const reader = source.open(0, 2);
    await until('a loss', () => reader.lostUpTo() !== null, { timeoutMs: 20_000 });
    expect(reader.lostUpTo()).toBe(6);
    expect(reader.read(2, LIMITS)).toEqual([]);
    await reader.acknowledge(6);
    expect((await readAtLeast(reader, 6, 4)).map(({ position }) => position)).toEqual([7, 8, 9, 10]);
    await Promise.all([admin.close(), source.close(), writer.close()]);
  });

  test('records that take the place of others, which a broker has lost, are told', async () => {
    const settings = settingsOf(cluster);
    const writer = await openKafkaWriter(settings, writing());
    const write = async (count: number) => {
      for (let record = 0; record < count; record++) await writer.append([Buffer.from('any')]);
    };
    await write(4);
    const source = await openKafkaReader(settings, blobs());
    // As though ten had been read, and the log had been cut after the fourth.
    const reader = source.open(0, 10);
    await until('trouble', () => reader.state().trouble?.includes('ends at 4') === true);
    expect(reader.overwritten()).toBe(0);
    await write(9);
    expect((await readAtLeast(reader, 10, 3)).map(({ position }) => position)).toEqual([11, 12, 13]);
    expect({ overwritten: reader.overwritten(), trouble: reader.state().trouble }).toEqual({
      overwritten: 6,
      trouble: null,
    });
    await Promise.all([source.close(), writer.close()]);
  });

  test('brokers that cannot be reached are unavailable, and the settings are named', async () => {
    const settings = { ...settingsOf(cluster), brokers: ['127.0.0.1:1'] };
    await expect(openKafkaWriter(settings, writing())).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/could not be reached .*check ERRATA_SPOOL_URL/),
    });
  });

  test('a spool that is full refuses at once', async () => {
    const writer = await openKafkaWriter(settingsOf(cluster), { blobs: blobs(), waitingBytesMax: 1_000 });
    const first = writer.append([Buffer.alloc(800)]);
    await expect(writer.append([Buffer.alloc(800)])).rejects.toMatchObject({ code: 'unavailable' });
    expect(await first).toBe(1);
    expect(await writer.append([Buffer.alloc(800)])).toBe(2);
    await writer.close();
  });

  test('records that follow each other closely share requests of the writer and of the reader', async () => {
    const settings = settingsOf(cluster);
    const writer = await openKafkaWriter(settings, writing());
    await writer.append([Buffer.from('first')]);
    const source = await openKafkaReader(settings, blobs());
    const reader = source.open(0, 0);
    await readAtLeast(reader, 0, 1);
    const counts = { sends: 0, fetches: 0 };
    const sends = tracingChannel('plt:kafka:producer:sends');
    const fetches = tracingChannel('plt:kafka:consumer:fetches');
    const onSend = { start: () => void counts.sends++ };
    const onFetch = { start: () => void counts.fetches++ };
    sends.subscribe(onSend as never);
    fetches.subscribe(onFetch as never);
    const appended: Promise<number>[] = [];
    for (let index = 0; index < 500; index++) {
      appended.push(writer.append([Buffer.from(`close ${index}`)]));
      await delay(2);
    }
    await Promise.all(appended);
    sends.unsubscribe(onSend as never);
    fetches.unsubscribe(onFetch as never);
    expect(counts.sends).toBeLessThan(250);
    expect(counts.fetches).toBeLessThan(20);
    expect(await readAtLeast(reader, 0, 501)).toHaveLength(501);
    await Promise.all([source.close(), writer.close()]);
  });

  /** Two requests at once of an idempotent producer may all be answered and one be stored (platformatic/kafka#326). */
  test('a partition has one request under way, which takes all that waits', async () => {
    const writer = await openKafkaWriter(settingsOf(cluster), writing());
    await writer.append([Buffer.from('first')]);
    const channel = tracingChannel('plt:kafka:producer:sends');
    let underway = 0;
    let most = 0;
    let requests = 0;
    const subscriber = {
      start: () => {
        underway += 1;
        requests += 1;
        most = Math.max(most, underway);
      },
      asyncEnd: () => {
        underway -= 1;
      },
    };
    channel.subscribe(subscriber as never);
    const appended: Promise<number>[] = [];
    for (let round = 0; round < 50; round++) {
      for (let index = 0; index < 40; index++)
        appended.push(writer.append([Buffer.from(`${round}-${index}`)]));
      await delay(2);
    }
    expect(new Set(await Promise.all(appended)).size).toBe(2_000);
    channel.unsubscribe(subscriber as never);
    expect(requests).toBeGreaterThan(1);
    expect({ most, isGrouped: requests < 1_000 }).toEqual({ most: 1, isGrouped: true });
    await writer.close();
  });
});

describe.skipIf(missing !== null)(named('the spool on three brokers'), { timeout: 600_000 }, () => {
  test('leaders that are killed one after the other cost time, and no record that was acknowledged', async () => {
    const cluster = await startKafkaCluster(3);
    try {
      const settings = settingsOf(cluster, 'partitions=3&replicas=3');
      const writer = await openKafkaWriter(settings, writing());
      expect(writer.topic.weaknesses).toEqual([]);
      const acknowledged = new Set<string>();
      let refused = 0;
      let isOver = false;
      const senders = Array.from({ length: 20 }, async (_, sender) => {
        for (let index = 0; !isOver; index++) {
          const eventId = `${sender}-${index}`.padStart(32, '0');
          await writer.append([Buffer.from(eventId)], { projectId: 1, eventId }).then(
            () => acknowledged.add(eventId),
            () => {
              refused += 1;
            },
          );
          await delay(5);
        }
      });
      const source = await openKafkaReader(settings, blobs());
      const readers = [0, 1, 2].map((partition) => source.open(partition, 0));
      const rows: string[] = [];
      for (const broker of [0, 1, 2, 0]) {
        await delay(3_000);
        const before = acknowledged.size;
        await cluster.kill(broker);
        await delay(12_000);
        await cluster.start(broker);
        rows.push(
          `broker ${broker}: ${acknowledged.size - before} acknowledged meanwhile, ${refused} refused so far`,
        );
      }
      await delay(10_000);
      isOver = true;
      await Promise.all(senders);
      await writer.close();
      const seen: string[] = [];
      const ends = [0, 0, 0];
      await until(
        'everything acknowledged to be read',
        () => {
          for (const [partition, reader] of readers.entries()) {
            for (const { position, bytes } of reader.read(ends[partition] ?? 0, LIMITS)) {
              seen.push(Buffer.from(bytes).toString());
              ends[partition] = position;
            }
          }
          const unique = new Set(seen);
          return [...acknowledged].every((id) => unique.has(id));
        },
        { timeoutMs: 60_000, everyMs: 500 },
      );
      console.log(
        [...rows, `${acknowledged.size} acknowledged, ${seen.length} stored, ${refused} refused`].join('\n'),
      );
      expect(acknowledged.size).toBeGreaterThan(1_000);
      // What was refused may have been stored; nothing that was acknowledged is there twice.
      const counts = Map.groupBy(seen, (id) => id);
      expect([...acknowledged].filter((id) => (counts.get(id)?.length ?? 0) !== 1)).toEqual([]);
      await source.close();
    } finally {
      await cluster.remove();
    }
  });
});
