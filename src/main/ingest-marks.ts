import { setTimeout as delay } from 'node:timers/promises';
import { readUptime } from '#ingest/uptime-file.ts';
import { messageOf } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import { LookPace } from '#lib/look-pace.ts';
import type { IngestMarkStore } from '#product/monitors/store/ingest-mark-store.ts';
import { findBacklog } from './ingest-lag.ts';
import { spoolFolder, uptimePath } from './spool-paths.ts';

const MARK_EVERY_MS = 500;
/** What arrived is in the spool after so long. */
const UNDERWAY_MS = 750;

/**
 * Tells, until `signal` says stop, up to when everything that the edge of this machine received is stored, and when it
 * could not receive. While digest or a store is behind, the mark stays where it is; where nothing arrives it is moved less
 * often. `isFormer`: edges write to a topic by now,
 * and what the files still hold is all that will ever be in them.
 */
export async function keepIngestMark(
  {
    dataDir,
    spoolId,
    isFormer,
    position,
    marks,
    log,
  }: {
    dataDir: string;
    spoolId: string;
    isFormer: boolean;
    /** Up to where digest is. */
    position: () => number;
    marks: Pick<IngestMarkStore, 'save'>;
    log: Log;
  },
  signal: AbortSignal,
): Promise<void> {
  const pace = new LookPace(MARK_EVERY_MS);
  let reached = position();
  while (!signal.aborted) {
    try {
      // In this order: what the edge had received by its beat waits, or is stored.
      const uptime = readUptime(uptimePath(dataDir));
      const heardAt = isFormer ? Date.now() : uptime?.at;
      const backlog = await findBacklog(spoolFolder(dataDir), log);
      if (heardAt !== undefined && backlog.kind !== 'unknown') {
        const received = heardAt - UNDERWAY_MS;
        const completeUntil = backlog.kind === 'waiting' ? Math.min(received, backlog.sinceMs - 1) : received;
        await marks.save(spoolId, { completeUntil, gaps: uptime?.gaps ?? [], updatedAt: Date.now() });
      }
    } catch (error) {
      log.debug({ error: messageOf(error) }, 'How far check-ins are known could not be noted');
    }
    if (position() !== reached) pace.found();
    reached = position();
    await delay(pace.waitMs, undefined, { signal }).catch(() => {});
  }
}
