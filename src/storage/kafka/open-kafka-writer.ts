import { randomBytes, randomInt } from 'node:crypto';
import { unavailable } from '#lib/errors.ts';
import { murmurHash } from '#lib/murmur-hash.ts';
import { blobKey } from '#protocol/blob-key.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';
import type { SpoolWriter } from '#storage/ports/spool.ts';
import { type KafkaSettings, type KafkaTopic, openTopic } from './connect-kafka.ts';
import { BATCH_HEAD_BYTES, RECORD_HEAD_BYTES } from './kafka-record.ts';
import { PartitionWriter } from './partition-writer.ts';
import { WriterHealth } from './writer-health.ts';

export type KafkaWriterOptions = {
  /** Where records go that are too large for the topic. */
  blobs: Pick<BlobStore, 'put'>;
  /** Records that wait for the brokers, in the memory of this process. */
  waitingBytesMax: number;
};

/** Any number of processes may write. Throws ErrataError 'unavailable' while no broker answers. */
export async function openKafkaWriter(
  settings: KafkaSettings,
  options: KafkaWriterOptions,
): Promise<SpoolWriter & { topic: KafkaTopic }> {
  const { blobs, waitingBytesMax } = options;
  const topic = await openTopic(settings);
  const recordBytesMax = topic.batchBytesMax - BATCH_HEAD_BYTES - RECORD_HEAD_BYTES;
  const writers = Array.from(
    { length: topic.partitions },
    (_, partition) => new PartitionWriter(settings, topic, partition),
  );
  let waitingBytes = 0;
  const health = new WriterHealth();

  async function appendLarge(
    writer: PartitionWriter,
    value: Buffer,
    { projectId, isPatient }: { projectId: number; isPatient: boolean },
  ): Promise<number> {
    const key = blobKey(Date.now(), projectId, `record-${randomBytes(16).toString('hex')}`);
    await blobs.put(key, value);
    // It stays when this fails: the brokers may have taken the record all the same, and otherwise it goes with its day.
    return writer.append({ value: Buffer.alloc(0), blobKey: key, isPatient });
  }

  return {
    topic,
    async append(pieces, origin, { isPatient } = { isPatient: false }) {
      // A copy: the brokers may take it long after whoever sent it was told to come again.
      const value = Buffer.concat(pieces);
      if (waitingBytes + value.length > waitingBytesMax) {
        throw unavailable(
          'The spool is full: events arrive faster than the brokers take them, try again later',
        );
      }
      const partition =
        origin?.eventId == null
          ? randomInt(topic.partitions)
          : partitionOf(origin.projectId, origin.eventId, topic.partitions);
      const writer = writers[partition] as PartitionWriter;
      waitingBytes += value.length;
      try {
        return await health.watch(
          value.length > recordBytesMax
            ? appendLarge(writer, value, { projectId: origin?.projectId ?? 0, isPatient })
            : writer.append({ value, blobKey: null, isPatient }),
        );
      } finally {
        waitingBytes -= value.length;
      }
    },
    sizeBytes: () => waitingBytes,
    bytesMax: waitingBytesMax,
    trouble: () => health.trouble(),
    async close() {
      await Promise.all(writers.map((writer) => writer.close()));
    },
  };
}

/** The partition of everything that brings an event of this id: whoever owns it knows which ids came before. */
export const partitionOf = (projectId: number, eventId: string, partitions: number): number =>
  murmurHash(`${projectId}:${eventId}`) % partitions;
