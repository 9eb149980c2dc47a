import { join } from 'node:path';
import { AlertRulesTable } from '#ingest/alert-rules-table.ts';
import { AttemptFile } from '#ingest/attempt-file.ts';
import { BodySampler } from '#ingest/body-sampler.ts';
import { DetectionBudget } from '#ingest/detection-budget.ts';
import { type DigestProgress, runDigestLoop } from '#ingest/digest-loop.ts';
import { DigestSymbols } from '#ingest/digest-symbols.ts';
import { IssueRulesTable } from '#ingest/issue-rules-table.ts';
import { createReadAhead } from '#ingest/read-ahead.ts';
import { RulesTable } from '#ingest/rules-table.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import type { Log } from '#lib/log.ts';
import { openPublicMaps } from '#product/symbolication/fetch-public-map.ts';
import { MapParser } from '#product/symbolication/map-parser.ts';
import { LOOK_UPS_AT_ONCE, SymbolFiles } from '#product/symbolication/symbol-files.ts';
import { openGeoDatabase } from '#storage/disk/geo-database.ts';
import { openRecentIds } from '#storage/lmdb/recent-ids.ts';
import { createBatchGate } from '#storage/postgres/backup/digest-pause.ts';
import { createDigestStore } from '#storage/postgres/digest/digest-store.ts';
import { createArtifactFeed } from '#storage/postgres/feeds.ts';
import type { Config } from '../config.ts';
import { startDigestThreads } from './digest-threads.ts';
import { keepIngestMark } from './ingest-marks.ts';
import type { RoleInit, StartedRole } from './messages.ts';
import { openSpoolToRead } from './open-spool.ts';
import { openStores } from './open-stores.ts';
import { attemptPath, spoolFolder } from './spool-paths.ts';

/** Of the loop and of what it reads now and then; look-ups of uploaded files have theirs beside them, and no more. */
const OWN_CONNECTIONS = 3;

export async function startDigest(config: Config, init: RoleInit, log: Log): Promise<StartedRole> {
  const geo = config.geoipDatabase === null ? null : await openGeoDatabase(config.geoipDatabase, log);
  const spool = await openSpoolToRead(spoolFolder(config.dataDir), log);
  const recentIds = openRecentIds(join(config.dataDir, 'spool'));
  const { stores, postgres, close } = openStores(init, config, {
    poolMax: OWN_CONNECTIONS + LOOK_UPS_AT_ONCE,
  });
  const rules = new RulesTable(stores.ingestSettings, stores.groupingRules, log);
  await rules.start();
  const issueRules = new IssueRulesTable(stores, log);
  await issueRules.start();
  const alertRules = new AlertRulesTable(stores.alertRules, log);
  await alertRules.start();
  const fetchPublicMap = openPublicMaps(config.sourceMapHosts);
  const parser = new MapParser();
  const symbols = new SymbolFiles({ ...stores, parser, fetchPublicMap, now: Date.now });
  const digestSymbols = new DigestSymbols(symbols);
  const threads = startDigestThreads(config, { rules, issueRules, symbols: digestSymbols, geo }, log);
  const uploads = createArtifactFeed({ url: init.databaseUrl, log });
  uploads.subscribe((organizationId) => {
    symbols.forget(organizationId);
    threads?.forgetSymbols();
  });
  const progress: DigestProgress = {
    position: 0,
    depth: 0,
    events: 0,
    batches: 0,
    quarantined: 0,
    stalled: null,
  };
  const gate = createBatchGate({ url: init.databaseUrl });
  const stopping = new AbortController();
  const loop = runDigestLoop(
    {
      events: stores.events,
      telemetry: stores.telemetry,
      blobs: stores.blobs,
      rules,
      isDiscarded: (projectId, hashes) => issueRules.isDiscarded(projectId, hashes),
      bodies: new BodySampler(),
      detection: new DetectionBudget(),
      lookUpGeo: geo?.lookUp ?? (() => null),
      readAhead: createReadAhead(stores.blobs, rules),
      symbols: digestSymbols,
      ...(threads && { threads }),
      digest: createDigestStore(
        postgres.db,
        (event) => issueRules.findOwner(event.projectId, event),
        (event) => alertRules.findHits(event.projectId, event),
      ),
      recentIds,
      spool,
      gate,
      attempts: new AttemptFile(attemptPath(config.dataDir)),
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
  const mark = keepIngestMark(
    { dataDir: config.dataDir, spoolId: spool.spoolId, marks: stores.ingestMarks, log },
    stopping.signal,
  );
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
      alertRules.stop();
      geo?.close();
      await Promise.all([loop, mark]);
      await threads?.stop();
      await Promise.all([
        spool.close(),
        recentIds.close(),
        parser.stop(),
        uploads.close(),
        gate.close(),
        close(),
      ]);
    },
  };
}
