import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AttemptFile } from '#ingest/attempt-file.ts';
import type { LoopDeps } from '#ingest/digest-loop.ts';
import {
  type PartitionDeps,
  type PartitionsProgress,
  runPartitions,
} from '#ingest/partitions/run-partitions.ts';
import { decodeRecord } from '#ingest/spool-record.ts';
import { messageOf } from '#lib/errors.ts';
import type { KafkaAddress } from '#lib/kafka-address.ts';
import { LookPace } from '#lib/look-pace.ts';
import { createArrivedIds } from '#storage/clickhouse/arrived-ids.ts';
import { openKafkaReader } from '#storage/kafka/kafka-reader.ts';
import type { PartitionReader } from '#storage/ports/spool.ts';
import { readOrMakeIdentity } from '#storage/spool-files/identity.ts';
import { type DigestSurroundings, digestFiles, type RunningDigest } from './digest-files.ts';
import { machineName } from './presence.ts';
import { attemptPath, spoolFolder } from './spool-paths.ts';

const MARK_EVERY_MS = 1_000;
/** What arrived is in the topic after so long, while its brokers are well. */
const UNDERWAY_MS = 5_000;

/** Digests a share of the partitions of a topic, and what the files of this machine still hold from before. */
export async function digestPartitions(
  deps: LoopDeps & Pick<PartitionDeps, 'bodies'>,
  address: KafkaAddress,
  surroundings: DigestSurroundings,
): Promise<RunningDigest> {
  const { config, stores, clickhouse, log, fail, signal } = surroundings;
  const folder = spoolFolder(config.dataDir);
  const files = existsSync(join(folder, 'synced')) ? await digestFiles(deps, surroundings) : null;
  const source = await openKafkaReader({ ...address, ...config.kafkaAuth }, stores.blobs);
  // The same after a restart: what this machine had is its own at once, and its ids are known.
  const { spoolId: workerId } = readOrMakeIdentity(folder, () => null);
  const worker = { topicId: source.topic.id, workerId, name: machineName(config) };
  const progress: PartitionsProgress = {
    held: new Map(),
    former: { events: 0, quarantined: 0, lost: 0 },
    stalled: null,
  };
  const loop = runPartitions(
    {
      ...deps,
      source,
      leases: stores.spoolPartitions,
      arrivedIds: createArrivedIds(clickhouse),
      worker,
      openAttempts: (partition) =>
        new AttemptFile(attemptPath(config.dataDir).replace(/\.json$/, `-${partition}.json`)),
      log,
    },
    progress,
    signal,
  ).catch(fail);
  const marks = keepMarks(progress, surroundings);
  const states = () => [...progress.held.values()];
  return {
    check() {
      const trouble =
        progress.stalled ??
        states()
          .map(({ progress: { stalled }, reader }) => stalled ?? reader?.state().trouble)
          .find((each) => each != null);
      if (trouble) return { ok: false, detail: `waits for a store: ${trouble}` };
      const waiting = states().reduce((sum, { reader }) => sum + (reader?.depth() ?? 0), 0);
      return {
        ok: true,
        detail: `${progress.held.size} of ${source.topic.partitions} partitions, ${waiting} records wait`,
      };
    },
    figures() {
      const sum = { ...progress.former, position: 0, depth: 0, ...files?.figures() };
      for (const { progress: own, reader } of states()) {
        sum.position += own.position;
        sum.depth += reader?.depth() ?? 0;
        sum.events += own.events;
        sum.quarantined += own.quarantined;
      }
      const { position, depth, events, quarantined } = sum;
      return { position, depth, events, quarantined };
    },
    ended: Promise.all([loop, marks, files?.ended]).then(() => source.close()),
  };
}

/** Says of each partition up to when everything that was received is stored, for who waits for something to arrive. */
async function keepMarks(
  { held }: PartitionsProgress,
  { stores, log, signal }: DigestSurroundings,
): Promise<void> {
  const pace = new LookPace(MARK_EVERY_MS);
  const reached = new Map<string, number>();
  while (!signal.aborted) {
    for (const { progress, reader } of held.values()) {
      const completeUntil = reader && findCompleteUntil(reader, progress.position);
      if (!reader || completeUntil === null) continue;
      if (reached.get(reader.spoolId) !== progress.position) pace.found();
      reached.set(reader.spoolId, progress.position);
      await stores.ingestMarks
        .save(reader.spoolId, { completeUntil, gaps: [], updatedAt: Date.now() })
        .catch((error: unknown) => log.debug({ error: messageOf(error) }, 'A mark could not be noted'));
    }
    await delay(pace.waitMs, undefined, { signal }).catch(() => {});
  }
}

/** null when it is not known. */
function findCompleteUntil(reader: PartitionReader, position: number): number | null {
  const { endPosition, knownAt } = reader.state();
  if (knownAt === 0) return null;
  if (position >= endPosition) return knownAt - UNDERWAY_MS;
  const oldest = reader.oldest();
  try {
    return oldest && Math.min(decodeRecord(oldest).receivedAtMs - 1, knownAt - UNDERWAY_MS);
  } catch {
    return null;
  }
}
