import type { Config } from '#config.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';
import type { RecordOrigin, SpoolWriter } from '#storage/ports/spool.ts';
import { putIntoInbox } from '#storage/spool-files/inbox.ts';
import { spoolFolder } from './spool-paths.ts';

/** How processes beside the edge hand a record to digest. */
export type SpoolInbox = {
  /** Records with several events may find those that came before only where all are in one spool. */
  isShared: boolean;
  /** Durable when it resolves. Rejects with ErrataError 'unavailable'. */
  append(pieces: readonly Uint8Array[], origin: RecordOrigin): Promise<void>;
  close(): Promise<void>;
};

export type SpoolSettings = Pick<Config, 'dataDir' | 'spool' | 'kafkaAuth'>;

/** Bytes that wait for the brokers in a process that seldom sends any. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;

/** Files have one writer, which takes records in from a folder; the brokers are written to, by a client that is opened with the first record. */
export function openInbox(
  { dataDir, spool, kafkaAuth }: SpoolSettings,
  blobs: Pick<BlobStore, 'put'>,
): SpoolInbox {
  if (spool === null) {
    return {
      isShared: false,
      append: (pieces) => putIntoInbox(spoolFolder(dataDir), pieces),
      async close() {},
    };
  }
  let opening: Promise<SpoolWriter> | null = null;
  const open = async (): Promise<SpoolWriter> => {
    const { openKafkaWriter } = await import('#storage/kafka/open-kafka-writer.ts');
    return openKafkaWriter({ ...spool, ...kafkaAuth }, { blobs, waitingBytesMax: WAITING_BYTES_MAX });
  };
  return {
    isShared: true,
    async append(pieces, origin) {
      opening ??= open();
      const writer = await opening.catch((error: unknown) => {
        // The next record asks the brokers again.
        opening = null;
        throw error;
      });
      await writer.append(pieces, origin);
    },
    async close() {
      await (await opening?.catch(() => null))?.close();
    },
  };
}
