import type { Config } from '#config.ts';
import { encodeRecord } from '#ingest/spool-record.ts';
import type { EventSink } from '#product/transfer/event-sink.ts';
import { isInboxEmpty } from '#storage/spool-files/inbox.ts';
import { AcknowledgedFile, HeadFile } from '#storage/spool-files/spool-figures.ts';
import type { SpoolInbox } from './open-inbox.ts';
import { spoolFolder } from './spool-paths.ts';

/** On brokers, so long after the last event. */
const DIGESTED_WITHIN_MS = 60_000;

/**
 * Imported events go into the inbox of the spool, past authentication and the limits of the edge, and are marked, so that digest
 * notifies nobody. On brokers it cannot be said whether they were read: they are taken to be after a while.
 */
export function createImportSink(
  { dataDir, spool }: Pick<Config, 'dataDir' | 'spool'>,
  inbox: SpoolInbox,
): EventSink {
  const folder = spoolFolder(dataDir);
  /** Where the spool ended when the inbox was empty; null while something was appended since. */
  let endsAt: number | null = null;
  let appendedAt = performance.now();
  return {
    async append({ organizationId, projectId, keyId, eventId, receivedAtMs, items }) {
      endsAt = null;
      appendedAt = performance.now();
      const record = encodeRecord({
        organizationId,
        projectId,
        keyId,
        receivedAtMs,
        sentAtMs: null,
        eventId,
        clientIp: null,
        userAgent: null,
        isReplay: false,
        isImport: true,
        items,
        outcomes: [],
      });
      await inbox.append(record, { projectId, eventId });
    },

    async isDrained() {
      if (spool !== null) return performance.now() - appendedAt > DIGESTED_WITHIN_MS;
      if (endsAt === null) {
        if (!(await isInboxEmpty(folder))) return false;
        endsAt = positionOf(new HeadFile(folder));
        if (endsAt === null) return false;
      }
      const readTo = positionOf(new AcknowledgedFile(folder));
      return readTo !== null && readTo >= endsAt;
    },
  };
}

function positionOf(file: HeadFile | AcknowledgedFile): number | null {
  try {
    return file.read()?.position ?? null;
  } finally {
    file.close();
  }
}
