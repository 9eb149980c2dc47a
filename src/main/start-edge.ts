import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '#config.ts';
import type { Check } from '#ingest/answer-health.ts';
import { BlobRoom } from '#ingest/blob-room.ts';
import {
  createEdgeMetrics,
  showDigest,
  showMachines,
  showPartitions,
  showStorage,
} from '#ingest/edge-metrics.ts';
import { createEdgeServer } from '#ingest/http-server.ts';
import { KeyTable } from '#ingest/key-table.ts';
import { MachineWatch } from '#ingest/machines/watch-machines.ts';
import { MemoryBudget } from '#ingest/memory-budget.ts';
import { OutcomeCounter } from '#ingest/outcome-counter.ts';
import { PartitionWatch } from '#ingest/partitions/watch-partitions.ts';
import { CounterRestorer, RateLimiter } from '#ingest/rate-limits/rate-limiter.ts';
import { REQUEST_BOUNDS } from '#ingest/request-bounds.ts';
import { RequestsUnderWay } from '#ingest/requests-under-way.ts';
import { UptimeFile } from '#ingest/uptime-file.ts';
import { messageOf } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import { startCountExchange } from '#product/machines/exchange-counts.ts';
import { describeListenError } from './listen-error.ts';
import type { RoleInit, StartedRole } from './messages.ts';
import { openSpoolToWrite } from './open-spool.ts';
import { openStores } from './open-stores.ts';
import { announceRole } from './presence.ts';
import { uptimePath } from './spool-paths.ts';

const CHECK_TIMEOUT_MS = 3_000;
/** `/health/ready` asks the stores at most this often, however often it is asked. */
const CHECK_AGE_MS_MAX = 500;

export async function startEdge(config: Config, init: RoleInit, log: Log): Promise<StartedRole> {
  const { stores, postgres, close } = await openStores(init, config, { poolMax: 4 });
  const spool = await openSpoolToWrite(config, stores.blobs, log);
  const rateLimiter = new RateLimiter();
  const restorer = new CounterRestorer(rateLimiter, stores.ingestSettings, log);
  const keys = new KeyTable(stores.projects, join(config.dataDir, 'client-keys.json'), log, (known) =>
    restorer.restore(known, Date.now()),
  );
  await keys.start();
  const exchange = init.isShared
    ? startCountExchange(rateLimiter, 'quota', { store: stores.sharedCounts, log })
    : null;
  const outcomes = new OutcomeCounter(spool, log);
  outcomes.start();
  const metrics = createEdgeMetrics();
  const blobRoom = new BlobRoom(stores, log, (state) => showStorage(metrics, state));
  blobRoom.start();
  const partitions =
    config.spool === null
      ? null
      : new PartitionWatch(stores.spoolPartitions, log, (found) =>
          showPartitions(metrics, found, Date.now()),
        );
  partitions?.start();
  const presence = init.isShared ? announceRole('edge', config, stores.roleProcesses, log) : null;
  const machines = init.isShared
    ? new MachineWatch(stores.roleProcesses, log, (found) => showMachines(metrics, found))
    : null;
  machines?.start();

  // Until the supervisor reports, the health of the other roles is unknown.
  let roleChecks: Record<string, Check> = { supervisor: { ok: false, detail: 'has not reported yet' } };
  let cached: { at: number; checks: Promise<Record<string, Check>> } | null = null;
  const checkHealth = () => {
    if (!cached || performance.now() - cached.at > CHECK_AGE_MS_MAX) {
      cached = { at: performance.now(), checks: checkAll() };
    }
    return cached.checks;
  };
  const underWay = new RequestsUnderWay();
  const checkSpool = (): Check => {
    const trouble = spool.trouble();
    const size = `${spool.sizeBytes()} of ${spool.bytesMax} bytes wait`;
    return { ok: trouble === null, detail: trouble === null ? size : `${trouble}; ${size}` };
  };
  const checkAll = async (): Promise<Record<string, Check>> => {
    const [relational, analytic, blobs] = await Promise.all([
      runCheck(() => postgres.ping()),
      runCheck(() => stores.events.ping()),
      stores.blobs.isLocal ? null : runCheck(() => stores.blobs.check()),
    ]);
    return {
      ...roleChecks,
      ...(underWay.isDraining && { edge: DRAINING }),
      spool: checkSpool(),
      postgres: worseOf(roleChecks.postgres, relational),
      clickhouse: worseOf(roleChecks.clickhouse, analytic),
      ...(blobs && { blobs }),
      ...partitions?.checks(Date.now()),
      ...machines?.checks(),
    };
  };

  const server = createEdgeServer({
    keys,
    spool,
    outcomes,
    blobs: stores.blobs,
    memory: new MemoryBudget(config.memory.inFlightBytesMax),
    rateLimiter,
    blobRoom,
    log,
    metrics,
    trustedProxies: config.trustedProxies,
    publicUrl: config.publicUrl,
    metricsToken: init.metricsToken,
    limits: { connectionsMax: boundConnections() },
    tunnelRegions: config.tunnelRegions,
    webPort: () => init.webPort,
    checkHealth,
    checkIngest: () => {
      if (underWay.isDraining) return DRAINING;
      return init.takesEvents ? checkSpool() : { ok: false, detail: 'no one digests what arrives here' };
    },
    takesEvents: init.takesEvents,
    underWay,
  });
  server.listen({ port: config.port, host: config.host, backlog: REQUEST_BOUNDS.backlogMax });
  // `once` rejects with the server's error event.
  await once(server, 'listening').catch((error: unknown) => {
    throw describeListenError(error as NodeJS.ErrnoException, config.port, 'PORT');
  });

  const uptime = new UptimeFile(uptimePath(config.dataDir));
  const beat = () => {
    if (spool.trouble() !== null) return;
    try {
      uptime.beat(Date.now());
    } catch (error) {
      log.debug({ error: messageOf(error) }, 'That the edge receives could not be noted');
    }
  };
  beat();
  const beating = setInterval(beat, BEAT_EVERY_MS);

  return {
    check: () => ({ ok: true, detail: `listens on ${config.host}:${config.port}` }),
    onHealth(checks, digest) {
      roleChecks = checks;
      if (digest) showDigest(metrics, digest);
    },
    drain() {
      underWay.drain();
      cached = null;
    },
    async stop() {
      clearInterval(beating);
      underWay.drain();
      keys.stop();
      blobRoom.stop();
      partitions?.stop();
      machines?.stop();
      server.close();
      server.closeIdleConnections();
      // Requests that are under way get their answer; pages that follow live are cut.
      await underWay.ended(config.stopGraceMs - STOP_KEPT_MS);
      server.closeAllConnections();
      await Promise.all([outcomes.stop(), presence?.stop(), exchange?.stop()]);
      await spool.close();
      await close();
    },
  };
}

/** Of the time to stop, for what comes behind the last answer. */
const STOP_KEPT_MS = 1_000;
const DRAINING: Check = { ok: false, detail: 'stops, and takes no more' };
const BEAT_EVERY_MS = 250;

/** An engine may answer over connections that are open while it takes no new ones, which the supervisor sees. */
const worseOf = (ofSupervisor: Check | undefined, own: Check): Check =>
  ofSupervisor && !ofSupervisor.ok ? ofSupervisor : own;

async function runCheck(ping: () => Promise<void>): Promise<Check> {
  const startedAt = performance.now();
  try {
    await Promise.race([
      ping(),
      delay(CHECK_TIMEOUT_MS, undefined, { ref: false }).then(() => {
        throw new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`);
      }),
    ]);
    return { ok: true, detail: `answered in ${Math.round(performance.now() - startedAt)} ms` };
  } catch (error) {
    return { ok: false, detail: messageOf(error) };
  }
}

/** Descriptors that the edge needs for other things: connections to the web role, the stores, the spool, blobs. */
const DESCRIPTORS_KEPT = 2_000;
const LIMITS_FILE = '/proc/self/limits';

/** The connections that may be open: the usual bound, or what the system's limit of open files leaves. */
export function boundConnections(openFilesMax: number = readOpenFilesMax()): number {
  const left = openFilesMax > 2 * DESCRIPTORS_KEPT ? openFilesMax - DESCRIPTORS_KEPT : openFilesMax / 2;
  return Math.min(REQUEST_BOUNDS.connectionsMax, Math.floor(left));
}

/** Node has raised the soft limit to the hard one by now. Infinity where the system does not report it. */
function readOpenFilesMax(): number {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync(LIMITS_FILE, 'utf8'))?.[1];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
