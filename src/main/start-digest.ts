import { join } from 'node:path';
import { AlertRulesTable } from '#ingest/alert-rules-table.ts';
import { BodySampler } from '#ingest/body-sampler.ts';
import { DetectionBudget } from '#ingest/detection-budget.ts';
import type { LoopDeps } from '#ingest/digest-loop.ts';
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
import { digestFiles } from './digest-files.ts';
import { startDigestThreads } from './digest-threads.ts';
import type { RoleInit, StartedRole } from './messages.ts';
import { openStores, sessionUrl } from './open-stores.ts';
import { announceRole } from './presence.ts';

/** Of the loop and of what it reads now and then; look-ups of uploaded files have theirs beside them, and no more. */
const OWN_CONNECTIONS = 3;

export async function startDigest(config: Config, init: RoleInit, log: Log): Promise<StartedRole> {
  const geo = config.geoipDatabase === null ? null : await openGeoDatabase(config.geoipDatabase, log);
  const recentIds = openRecentIds(join(config.dataDir, 'spool'));
  const { stores, postgres, clickhouse, close } = await openStores(init, config, {
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
  const uploads = createArtifactFeed({ url: sessionUrl(init), log });
  uploads.subscribe((organizationId) => {
    symbols.forget(organizationId);
    threads?.forgetSymbols();
  });
  const gate = createBatchGate({ url: sessionUrl(init) });
  const stopping = new AbortController();
  const deps: LoopDeps & { bodies: BodySampler } = {
    events: stores.events,
    telemetry: stores.telemetry,
    blobs: stores.blobs,
    rules,
    isDiscarded: (projectId, hashes) => issueRules.isDiscarded(projectId, hashes),
    bodies: new BodySampler(),
    detection: new DetectionBudget(),
    lookUpGeo: geo?.lookUp ?? (() => null),
    readAhead: createReadAhead(stores.blobs, rules, digestSymbols),
    symbols: digestSymbols,
    ...(threads && { threads }),
    digest: createDigestStore(
      postgres.db,
      (event) => issueRules.findOwner(event.projectId, event),
      (event) => alertRules.findHits(event.projectId, event),
    ),
    recentIds,
    gate,
    faults: parseFaultPoints(config.faultPoints),
    now: Date.now,
  };
  const fail = (error: unknown) => {
    if (stopping.signal.aborted) return;
    log.error({ error: String(error), stack: (error as Error).stack }, 'Digest failed and starts anew');
    process.exit(1);
  };
  const surroundings = { config, stores, clickhouse, log, fail, signal: stopping.signal };
  const spool =
    config.spool === null
      ? await digestFiles(deps, surroundings)
      : await (await import('./digest-partitions.ts')).digestPartitions(deps, config.spool, surroundings);
  const presence = init.isShared ? announceRole('digest', config, stores.roleProcesses, log) : null;
  return {
    check: spool.check,
    digest: spool.figures,
    async stop() {
      stopping.abort();
      rules.stop();
      issueRules.stop();
      alertRules.stop();
      geo?.close();
      await spool.ended;
      await Promise.all([threads?.stop(), presence?.stop()]);
      await Promise.all([recentIds.close(), parser.stop(), uploads.close(), gate.close(), close()]);
    },
  };
}
