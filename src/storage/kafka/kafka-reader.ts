import { setTimeout as delay } from 'node:timers/promises';
import { Consumer, type KafkaRecord, ListOffsetTimestamps } from '@platformatic/kafka';
import type { BlobStore } from '#storage/ports/blobs.ts';
import type { PartitionReader } from '#storage/ports/spool.ts';
import { clientOptions, type KafkaSettings, type KafkaTopic, openTopic, reasonOf } from './connect-kafka.ts';
import { BLOB_HEADER, RECORD_BYTES_MAX } from './kafka-record.ts';
import { PartitionBuffer } from './partition-buffer.ts';

/** How long a broker waits for something to answer with. */
const FETCH_WAIT_MS = 250;
const FETCH_BYTES = 16 * 1024 * 1024;
const PARTITION_BYTES = 4 * 1024 * 1024;
/** Between two requests to a broker, unless the last one answered with much: each costs as much as several events. */
const FETCH_EVERY_MS = 200;
const MUCH_BYTES = 1024 * 1024;
/** Until it is looked whether there is something to fetch, and from whom. */
const LOOK_MS = 50;
const RETRY_MS = 500;
const TRIES_MAX = 3;
/** Codes of Kafka's protocol. */
const OFFSET_OUT_OF_RANGE = 1;
const CONTROL_BATCH = 0x20;

type FetchResponse = Awaited<ReturnType<Consumer['fetch']>>;
type FetchResponsePartition = FetchResponse['responses'][number]['partitions'][number];

export type KafkaReader = {
  topic: KafkaTopic;
  /** Reads a partition after a position, until it is closed. */
  open(partition: number, position: number): PartitionReader;
  close(): Promise<void>;
};

/** Reads partitions that this process was given: offsets are kept by the caller, and no group is joined. */
export async function openKafkaReader(
  settings: KafkaSettings,
  blobs: Pick<BlobStore, 'readWhole' | 'delete'>,
): Promise<KafkaReader> {
  const topic = await openTopic(settings);
  const consumer = new Consumer({
    ...clientOptions(settings),
    groupId: 'errata-digest',
    retries: TRIES_MAX,
    retryDelay: RETRY_MS,
    maxWaitTime: FETCH_WAIT_MS,
  });
  consumer.topics.track(topic.name);
  const buffers = new Map<number, PartitionBuffer>();
  /** Brokers that are being asked: one request at a time each, or the brokers mix up their sessions. */
  const busy = new Set<number>();
  let isClosed = false;

  async function look(): Promise<void> {
    while (!isClosed) {
      const wanted = [...buffers.values()].filter(({ hasRoom, lostUpTo }) => hasRoom && lostUpTo === null);
      if (wanted.length > 0) await startFetches(wanted);
      await delay(LOOK_MS);
    }
  }

  async function startFetches(wanted: readonly PartitionBuffer[]): Promise<void> {
    try {
      const metadata = await consumer.metadata({ topics: [topic.name] });
      const { partitions = [] } = metadata.topics.get(topic.name) ?? {};
      for (const [leader, led] of Map.groupBy(
        wanted,
        ({ partition }) => partitions[partition]?.leader ?? -1,
      )) {
        if (leader < 0) for (const buffer of led) buffer.trouble = 'the partition has no leader';
        else if (!busy.has(leader)) void fetchFrom(leader);
      }
    } catch (error) {
      for (const buffer of wanted) buffer.trouble = reasonOf(error);
      await delay(RETRY_MS);
    }
  }

  /** Goes on as long as the broker leads something that is wanted. */
  async function fetchFrom(node: number): Promise<void> {
    busy.add(node);
    try {
      while (!isClosed) {
        const metadata = await consumer.metadata({ topics: [topic.name] });
        const known = metadata.topics.get(topic.name);
        if (!known || known.id !== topic.id) throw new Error('the topic was made anew: start digest again');
        const wanted = [...buffers.values()].filter(
          ({ hasRoom, lostUpTo, partition }) =>
            hasRoom && lostUpTo === null && known.partitions[partition]?.leader === node,
        );
        if (wanted.length === 0) return;
        const bytes = await fetchOnce(node, wanted);
        if (bytes > 0 && bytes < MUCH_BYTES) await delay(FETCH_EVERY_MS);
      }
    } catch (error) {
      for (const buffer of buffers.values()) buffer.trouble ??= reasonOf(error);
      await consumer.metadata({ topics: [topic.name], forceUpdate: true }).catch(() => {});
      await delay(RETRY_MS);
    } finally {
      busy.delete(node);
    }
  }

  /** Answers how many bytes of records came. */
  async function fetchOnce(node: number, wanted: readonly PartitionBuffer[]): Promise<number> {
    const startedAt = Date.now();
    const response = await consumer
      .fetch({
        node,
        minBytes: 1,
        maxBytes: FETCH_BYTES,
        maxWaitTime: FETCH_WAIT_MS,
        topics: [
          {
            topicId: topic.id,
            partitions: wanted.map(({ partition, nextOffset }) => ({
              partition,
              currentLeaderEpoch: -1,
              fetchOffset: BigInt(nextOffset),
              lastFetchedEpoch: -1,
              partitionMaxBytes: PARTITION_BYTES,
            })),
          },
        ],
      })
      .catch(async (error: unknown) => {
        const lost = findOutOfRange(error, wanted);
        if (lost.length === 0) throw error;
        await noteLost(lost);
        return null;
      });
    if (response === null) return 0;
    let bytes = 0;
    // By the buffers that were asked for: a partition may have been opened again since, at another position.
    const unanswered = new Map(wanted.map((buffer) => [buffer.partition, buffer]));
    for (const { partitions } of response.responses) {
      for (const answer of partitions) {
        const buffer = unanswered.get(answer.partitionIndex);
        unanswered.delete(answer.partitionIndex);
        if (buffer && isOpen(buffer)) bytes += await take(buffer, answer);
      }
    }
    // A broker leaves partitions out of which nothing has changed.
    for (const buffer of unanswered.values()) {
      buffer.noteGrown();
      buffer.endKnownAt = startedAt;
      buffer.trouble = null;
    }
    return bytes;
  }

  const isOpen = (buffer: PartitionBuffer): boolean => buffers.get(buffer.partition) === buffer;

  async function take(buffer: PartitionBuffer, answer: FetchResponsePartition): Promise<number> {
    let bytes = 0;
    buffer.noteGrown();
    for (const batch of answer.records ?? []) {
      if ((batch.attributes & CONTROL_BATCH) !== 0) continue;
      for (const record of batch.records) {
        const offset = Number(batch.firstOffset) + record.offsetDelta;
        // A compressed batch comes whole, with what was read of it before.
        if (offset < buffer.nextOffset) continue;
        if (!isOpen(buffer)) return bytes;
        if (offset > buffer.nextOffset) {
          buffer.lostUpTo = offset;
          return bytes;
        }
        const taken = await bytesOf(buffer, offset + 1, record);
        buffer.add({ position: offset + 1, bytes: taken });
        bytes += taken.length;
      }
    }
    buffer.endOffset = Math.max(Number(answer.highWatermark), buffer.nextOffset);
    buffer.endKnownAt = Date.now();
    buffer.trouble = null;
    return bytes;
  }

  /** Of a record whose bytes are gone from the blob store none are left: it is quarantined as what cannot be read. */
  async function bytesOf(
    buffer: PartitionBuffer,
    position: number,
    { value, headers }: KafkaRecord,
  ): Promise<Uint8Array> {
    const key = headers.find(([name]) => name?.toString() === BLOB_HEADER)?.[1]?.toString();
    if (key === undefined) return value ?? new Uint8Array();
    const bytes = await blobs.readWhole(key, RECORD_BYTES_MAX);
    buffer.blobKeys.set(position, key);
    return bytes ?? new Uint8Array();
  }

  function findOutOfRange(error: unknown, wanted: readonly PartitionBuffer[]): readonly PartitionBuffer[] {
    const found: PartitionBuffer[] = [];
    const visit = (each: unknown): void => {
      if (each instanceof AggregateError) for (const inner of each.errors) visit(inner);
      const { response } = each as { response?: FetchResponse };
      for (const { partitions } of response?.responses ?? []) {
        for (const { errorCode, partitionIndex } of partitions) {
          if (errorCode !== OFFSET_OUT_OF_RANGE) continue;
          const buffer = wanted.find(({ partition }) => partition === partitionIndex);
          if (buffer && !found.includes(buffer)) found.push(buffer);
        }
      }
    };
    visit(error);
    return found;
  }

  /** The log begins behind what was to be read next, or it ends before: then records were lost that had been acknowledged. */
  async function noteLost(lost: readonly PartitionBuffer[]): Promise<void> {
    const partitions = { [topic.name]: lost.map(({ partition }) => partition) };
    const of = async (timestamp: bigint) =>
      (await consumer.listOffsets({ topics: [topic.name], partitions, timestamp })).get(topic.name) ?? [];
    const [earliest, latest] = await Promise.all([
      of(ListOffsetTimestamps.EARLIEST),
      of(ListOffsetTimestamps.LATEST),
    ]);
    for (const buffer of lost) {
      const begin = Number(earliest[buffer.partition] ?? -1n);
      const end = Number(latest[buffer.partition] ?? -1n);
      if (begin > buffer.nextOffset) {
        buffer.endOffset = end;
        buffer.lostUpTo = begin;
      } else if (end >= 0 && end < buffer.nextOffset) {
        buffer.noteCut(end);
        buffer.trouble = `the log ends at ${end}, before ${buffer.nextOffset}, up to which it was read: see docs/scale.md`;
      }
    }
    await delay(RETRY_MS);
  }

  const looking = look();
  return {
    topic,
    open(partition, position) {
      const buffer = new PartitionBuffer(partition, position);
      buffers.set(partition, buffer);
      return {
        spoolId: `${topic.id}:${partition}`,
        read: (after, limits) => buffer.read(after, limits),
        async acknowledge(upTo) {
          const keys = buffer.acknowledge(upTo);
          // What cannot be removed goes with its day.
          await Promise.all(keys.map((key) => blobs.delete(key).catch(() => {})));
        },
        depth: () => buffer.depth,
        lostUpTo: () => buffer.lostUpTo,
        overwritten: () => buffer.overwritten,
        oldest: () => buffer.oldest?.bytes ?? null,
        state: () => ({ endPosition: buffer.endOffset, knownAt: buffer.endKnownAt, trouble: buffer.trouble }),
        async close() {
          if (buffers.get(partition) === buffer) buffers.delete(partition);
        },
      };
    },
    async close() {
      isClosed = true;
      buffers.clear();
      await consumer.close(true).catch(() => {});
      await looking;
    },
  };
}
