import type { Config } from '#config.ts';
import type { Log } from '#lib/log.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';
import type { SpoolReader, SpoolWriter } from '#storage/ports/spool.ts';
import { hasOldSpool } from '#storage/spool-files/has-old-spool.ts';
import { continueSpool, readOrMakeIdentity } from '#storage/spool-files/identity.ts';
import { openSpoolReader } from '#storage/spool-files/open-spool-reader.ts';
import { openSpoolWriter } from '#storage/spool-files/open-spool-writer.ts';
import type { SpoolSettings } from './open-inbox.ts';
import { spoolFolder } from './spool-paths.ts';

/** Bytes that wait for the brokers in the memory of the edge. */
const BROKER_BYTES_MAX = 128 * 1024 * 1024;

/** The spool that the settings name, to write to. */
export async function openSpoolToWrite(
  {
    dataDir,
    spool,
    kafkaAuth,
    spoolBytesMax,
    memory,
  }: SpoolSettings & Pick<Config, 'spoolBytesMax' | 'memory'>,
  blobs: Pick<BlobStore, 'put'>,
  log: Log,
): Promise<SpoolWriter> {
  if (spool === null) return openFilesToWrite(spoolFolder(dataDir), spoolBytesMax, log);
  const { openKafkaWriter } = await import('#storage/kafka/open-kafka-writer.ts');
  const waitingBytesMax = Math.min(spoolBytesMax, BROKER_BYTES_MAX, memory.inFlightBytesMax);
  const writer = await openKafkaWriter({ ...spool, ...kafkaAuth }, { blobs, waitingBytesMax });
  for (const weakness of writer.topic.weaknesses)
    log.warn(
      { topic: writer.topic.name },
      `A record that is acknowledged may be lost with a machine: ${weakness}`,
    );
  return writer;
}

/** The spool of a data directory, to write to. One process at a time. */
export async function openFilesToWrite(folder: string, bytesMax: number, log: Log): Promise<SpoolWriter> {
  await nameSpool(folder);
  return openSpoolWriter(folder, bytesMax, { onDamage: (detail) => log.error({ detail }, DAMAGED) });
}

/** The spool of a data directory, to read; what release 0.1 left waiting comes first, and is then removed. */
export async function openSpoolToRead(folder: string, log: Log): Promise<SpoolReader> {
  await nameSpool(folder);
  const spool = openSpoolReader(folder, { onDamage: (detail) => log.error({ detail }, DAMAGED) });
  if (!hasOldSpool(folder)) return spool;
  const { openOldSpoolReader, removeOldSpool } = await loadOldSpool();
  return continueSpool(openOldSpoolReader(folder), spool, () => {
    removeOldSpool(folder);
    log.info({ folder }, 'The spool of the former release is drained and removed');
  });
}

/** Its engine takes memory that no role needs any more. */
const loadOldSpool = () => import('#storage/lmdb/old-spool.ts');

const DAMAGED = 'A part of the spool cannot be read';

/** A spool goes on under the name and the positions of the one of release 0.1: the relational store knows them. */
async function nameSpool(folder: string): Promise<void> {
  const origin = hasOldSpool(folder) ? await (await loadOldSpool()).describeOldSpool(folder) : null;
  readOrMakeIdentity(folder, () => origin);
}
