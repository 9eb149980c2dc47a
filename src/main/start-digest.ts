import { join } from 'node:path';
import { AttemptFile } from '#ingest/attempt-file.ts';
import { BodySampler } from '#ingest/body-sampler.ts';
import { type DigestProgress, runDigestLoop } from '#ingest/digest-loop.ts';
import { IssueRulesTable } from '#ingest/issue-rules-table.ts';
import { createReadAhead } from '#ingest/read-ahead.ts';
import { RulesTable } from '#ingest/rules-table.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import type { Log } from '#lib/log.ts';
import { openGeoDatabase } from '#storage/disk/geo-database.ts';
import { openRecentIds } from '#storage/lmdb/recent-ids.ts';
import { createDigestStore } from '#storage/postgres/digest-store.ts';
import type { Config } from '../config.ts';
import type { RoleInit } from './messages.ts';
import { openSpoolToRead, spoolFolder } from './open-spool.ts';
import { openStores } from './open-stores.ts';
import type { StartedRole } from './run-role.ts';

export async function startDigest(config: Config, init: RoleInit, log: Log): Promise<StartedRole> {
  const geo = config.geoipDatabase === null ? null : await openGeoDatabase(config.geoipDatabase, log);
  const spool = await openSpoolToRead(spoolFolder(config.dataDir), log);
  const recentIds = openRecentIds(join(config.dataDir, 'spool'));
  const { stores, postgres, close } = openStores(init, config, { poolMax: 3 });
  const rules = new RulesTable(stores.ingestSettings, stores.groupingRules, log);
  await rules.start();
  const issueRules = new IssueRulesTable(stores, log);
  await issueRules.start();
  const progress: DigestProgress = {
    position: 0,
    depth: 0,
    events: 0,
    batches: 0,
    quarantined: 0,
    stalled: null,
  };
  const stopping = new AbortController();
  const loop = runDigestLoop(
    {
      events: stores.events,
      telemetry: stores.telemetry,
      blobs: stores.blobs,
      rules,
      isDiscarded: (projectId, hashes) => issueRules.isDiscarded(projectId, hashes),
      bodies: new BodySampler(),
      lookUpGeo: geo?.lookUp ?? (() => null),
      readAhead: createReadAhead(stores.blobs),
      digest: createDigestStore(postgres.db, (event) => issueRules.findOwner(event.projectId, event)),
      recentIds,
      spool,
      attempts: new AttemptFile(join(config.dataDir, 'spool', 'digest-attempt.json')),
      faults: parseFaultPoints(config.faultPoints),
      log,
      now: Date.now,
    },
    progress,
    stopping.signal,
  ).catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    log.error({ error: String(error), stack: (error as Error).stack }, 'Digest failed and starts anew');
    process.exit(1);
  });
  return {
    check: () =>
      progress.stalled
        ? { ok: false, detail: `waits for a store: ${progress.stalled}` }
        : { ok: true, detail: `${progress.depth} records wait` },
    digest: () => {
      const { position, depth, events, quarantined } = progress;
      return { position, depth, events, quarantined };
    },
    async stop() {
      stopping.abort();
      rules.stop();
      issueRules.stop();
      geo?.close();
      await loop;
      await Promise.all([spool.close(), recentIds.close(), close()]);
    },
  };
}
