import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readMachineBytes } from '#config/memory-profile.ts';
import type { Config, RoleName } from '#config.ts';
import type { Check } from '#ingest/answer-health.ts';
import { createLog, type Log } from '#lib/log.ts';
import { isLoopbackHost } from '#lib/loopback-host.ts';
import { readOrMakeSecret } from '#lib/secret-file.ts';
import { findFreePort } from '#storage/embedded/free-port.ts';
import { explainMissingClickhouse, startEmbeddedClickhouse } from '#storage/embedded/start-clickhouse.ts';
import { startEmbeddedPostgres } from '#storage/embedded/start-postgres.ts';
import { refuseUnfinishedRestore } from './backups/unfinished-restore.ts';
import { lockDataDir, metricsTokenFile, removeRuntime, writeRuntime } from './data-dir.ts';
import { giveBackMemory } from './give-back-memory.ts';
import { groupRoles } from './group-roles.ts';
import { Heartbeats } from './heartbeats.ts';
import type { DigestFigures, FirstRun, FromRole, RoleInit } from './messages.ts';
import { forgetAdminPassword, type RoleProcess, spawnRole } from './spawn-role.ts';
import { SupervisedProcess } from './supervised-process.ts';
import { createUpgradeAnnouncer } from './upgrade/announce-upgrade.ts';
import { waitUntilReady } from './wait-until-ready.ts';
import { watchEngine } from './watch-engine.ts';

type UpgradeAnnouncer = ReturnType<typeof createUpgradeAnnouncer>;

const BROADCAST_INTERVAL_MS = 500;
const PARENT_LOOK_MS = 500;
const READY_TIMEOUT_MS = 5 * 60_000;
/** What every part has for its stop, also when those before it took all of the time. */
const STOP_MS_MIN = 2_000;

export type ServeOptions = {
  isDevelopment: boolean;
  /** When the command was given, in milliseconds since the epoch. */
  begunAt: number;
  /** Whose end ends us as well; null when the channel to it tells. */
  parentPid: number | null;
};

/** Starts and supervises everything that this machine runs; resolves when it has been stopped. */
export async function serve(
  config: Config,
  roles: readonly RoleName[],
  { isDevelopment, begunAt, parentPid }: ServeOptions,
): Promise<void> {
  const log = createLog('main', config.logLevel);
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const stopping = stopSignal(parentPid);
  mkdirSync(config.dataDir, { recursive: true, mode: 0o755 });
  const lock = lockDataDir(config.dataDir);
  const supervisor = new Supervisor(config, log);
  try {
    refuseUnfinishedRestore(config.dataDir);
    if (!config.clickhouseUrl) {
      const missing = explainMissingClickhouse();
      if (missing) throw new Error(missing);
    }
    const isFirst = !existsSync(join(config.dataDir, 'postgres'));
    say(isFirst ? 'Preparing the databases (first start) …' : 'Starting the databases …');
    const init = await supervisor.startEngines(roles, isDevelopment);
    const announcer = createUpgradeAnnouncer(
      config,
      { metricsToken: init.metricsToken, hasEdge: roles.includes('edge') },
      say,
      log,
    );
    const firstRun = await supervisor.prepare(init, announcer, stopping);
    if (firstRun) await runRoles(init, firstRun);
    else say('Stopped before the databases were ready: the next start continues.');
  } finally {
    await supervisor.stop();
    lock.release();
  }
  say('Errata has stopped.');

  async function runRoles(init: RoleInit, firstRun: FirstRun): Promise<void> {
    forgetAdminPassword(process.env);
    say(`Starting ${roles.join(', ')} (${config.memory.name} memory profile) …`);
    await supervisor.startRoles(roles, init);
    if (!roles.includes('edge')) await supervisor.answerHealth(init.metricsToken);
    const becomeReady = () =>
      roles.includes('edge')
        ? waitUntilReady(localAddress(config), init.metricsToken, {
            timeoutMs: READY_TIMEOUT_MS,
            isStopping: stopping.isSet,
          })
        : null;
    let missing = await Promise.race([becomeReady(), supervisor.firstFailure, stopping.then(() => null)]);
    giveBackMemory();
    // Events are taken, and whatever works is served: what is missing may be under repair elsewhere.
    while (missing !== null) {
      log.error(
        { missing },
        `Not ready after ${READY_TIMEOUT_MS / 1000} s: what works is served, and the rest waited for`,
      );
      missing = await Promise.race([becomeReady(), stopping.then(() => null)]);
    }
    if (!stopping.isSet()) say(describeStart(config.publicUrl, firstRun, Date.now() - begunAt));
    await stopping;
    say('Stopping …');
    await supervisor.drain();
  }
}

class Supervisor {
  readonly #config: Config;
  readonly #log: Log;
  readonly #parts = new Map<string, SupervisedProcess>();
  readonly #roles = new Map<RoleName, RoleProcess>();
  readonly #heartbeats = new Heartbeats();
  readonly #engineChecks = new Map<string, () => Check>();
  readonly #machineBytes = readMachineBytes();
  #digest: DigestFigures | null = null;
  #checks: Readonly<Record<string, Check>> = {
    supervisor: { ok: false, detail: 'has not asked the roles yet' },
  };
  #health: { close(): void } | null = null;
  /** Where the command line asks how the roles are. */
  #localUrl: string;
  #init: RoleInit | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isStopping = false;
  /** The disk refused the file: it is written once there is room. */
  #isRuntimeStale = false;
  #fail: (error: Error) => void = () => {};
  /** Rejects when a role says that it cannot start; of interest until everything has started once. */
  readonly firstFailure = new Promise<never>((_resolve, reject) => {
    this.#fail = reject;
  });

  constructor(config: Config, log: Log) {
    this.#config = config;
    this.#localUrl = localAddress(config);
    this.#log = log;
    this.firstFailure.catch(() => {});
  }

  async startEngines(roles: readonly RoleName[], isDevelopment: boolean): Promise<RoleInit> {
    const config = this.#config;
    let databaseUrl = config.databaseUrl ?? '';
    let clickhouseUrl = config.clickhouseUrl ?? '';
    const starts: Promise<void>[] = [];
    if (!config.databaseUrl) {
      let port: number | undefined;
      starts.push(
        this.#supervise('postgres', async () => {
          const engine = await startEmbeddedPostgres({
            dataDir: config.dataDir,
            memory: config.memory.postgres,
            log: this.#log,
            port,
          });
          port = engine.port;
          databaseUrl = engine.url;
          this.#engineChecks.set('postgres', watchEngine('postgres', engine, this.#log));
          return engine;
        }),
      );
    }
    if (!config.clickhouseUrl) {
      let port: number | undefined;
      starts.push(
        this.#supervise('clickhouse', async () => {
          const engine = await startEmbeddedClickhouse({
            dataDir: config.dataDir,
            memoryBytesMax: config.clickhouseMemoryBytesMax,
            markCacheBytes: config.memory.markCacheBytes,
            queryThreads: config.memory.clickhouseThreads,
            log: this.#log,
            port,
          });
          port = engine.port;
          clickhouseUrl = engine.url;
          this.#engineChecks.set('clickhouse', watchEngine('clickhouse', engine, this.#log));
          return engine;
        }),
      );
    }
    await Promise.all(starts);
    this.#init = {
      type: 'init',
      databaseUrl,
      databaseDirectUrl: config.databaseDirectUrl,
      isShared: config.databaseUrl !== null,
      clickhouseUrl,
      secret: config.secret ?? readOrMakeSecret(join(config.dataDir, 'secret')),
      metricsToken: config.metricsToken ?? readOrMakeSecret(metricsTokenFile(config.dataDir)),
      webPort: roles.includes('web') ? await findFreePort() : null,
      // Alone, it keeps them for a digest that is started later.
      takesEvents: config.spool !== null || roles.includes('digest') || !roles.includes('web'),
      isDevelopment,
    };
    return this.#init;
  }

  /**
   * Migrations and the first owner, in a process of its own that ends: the supervisor stays small. null when it was stopped
   * before the end.
   */
  async prepare(
    init: RoleInit,
    announcer: UpgradeAnnouncer,
    stopping: ReturnType<typeof stopSignal>,
  ): Promise<FirstRun | null> {
    let answer: FromRole | null = null;
    const child = spawnRole(['prepare'], init, this.#config.memory, (message) => {
      if (message.type === 'upgrading') announcer.tell(message.progress);
      else answer = message;
    });
    // Migrations may take hours: whoever stops the server does not wait for them. The next start continues.
    await Promise.race([child.exited, stopping.then(() => child.stop(this.#config.stopGraceMs))]);
    await child.exited;
    const result = answer as FromRole | null;
    await announcer.end(result?.type === 'prepared');
    if (result?.type === 'prepared') return result.firstRun;
    if (!result && stopping.isSet()) return null;
    throw new Error(
      result?.type === 'failed' ? result.message : 'Preparing the databases failed: see the log above',
    );
  }

  async startRoles(roles: readonly RoleName[], init: RoleInit): Promise<void> {
    await Promise.all(
      groupRoles(roles, this.#config.memory.name).map((names) =>
        this.#supervise(names.join(','), async () => {
          for (const role of names) this.#heartbeats.started(role, performance.now());
          const child = spawnRole(names, init, this.#config.memory, (message) => this.#onMessage(message));
          for (const role of names) this.#roles.set(role, child);
          return child;
        }),
      ),
    );
    this.#timer = setInterval(() => this.#broadcast(), BROADCAST_INTERVAL_MS);
  }

  /** For machines whose port nobody else has; not at all where ERRATA_HEALTH_PORT is not set. */
  async answerHealth(metricsToken: string): Promise<void> {
    const { healthPort: port, host } = this.#config;
    if (port === null) return;
    const { serveHealth } = await import('./serve-health.ts');
    const readState = () => ({ checks: this.#checks, digest: this.#digest });
    this.#health = await serveHealth({ host, port, metricsToken }, readState);
    this.#localUrl = localAddress({ host, port });
    this.#writeRuntime();
  }

  /** Lets load balancers see that this machine is about to stop, while it answers as before. */
  async drain(): Promise<void> {
    this.#roles.get('edge')?.send({ type: 'drain' });
    await delay(this.#config.drainMs);
  }

  /**
   * The edge first, which lets requests end that the others answer; then the other roles, so that nothing writes when the
   * engines stop.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#health?.close();
    if (this.#timer) clearInterval(this.#timer);
    const deadline = performance.now() + this.#config.stopGraceMs;
    const stopAll = (parts: readonly SupervisedProcess[]) =>
      Promise.all(parts.map((part) => part.stop(Math.max(STOP_MS_MIN, deadline - performance.now()))));
    const isEngine = (part: SupervisedProcess) => part.name === 'postgres' || part.name === 'clickhouse';
    const parts = [...this.#parts.values()];
    const edge = parts.filter((part) => part === this.#partOf('edge'));
    await stopAll(edge);
    await stopAll(parts.filter((part) => !isEngine(part) && !edge.includes(part)));
    await stopAll(parts.filter(isEngine));
    removeRuntime(this.#config.dataDir);
  }

  #supervise(
    name: string,
    start: () => Promise<RoleProcess | Awaited<ReturnType<typeof startEmbeddedPostgres>>>,
  ) {
    const part = new SupervisedProcess(name, start, () => this.#writeRuntime(), this.#log);
    this.#parts.set(name, part);
    return part.start();
  }

  #onMessage(message: FromRole): void {
    if (message.type === 'failed') this.#fail(new Error(message.message));
    if (message.type !== 'heartbeat') return;
    this.#heartbeats.heard(message.role, message.check, performance.now());
    if (message.digest) this.#digest = message.digest;
  }

  #broadcast(): void {
    if (this.#isRuntimeStale) this.#writeRuntime();
    const checks: Record<string, Check> = {};
    for (const role of this.#heartbeats.roles) {
      const isAlive = (this.#partOf(role)?.pid ?? 0) > 0;
      const ageMs = isAlive ? this.#heartbeats.silenceMs(role, performance.now()) : null;
      if (ageMs !== null) {
        this.#log.error({ role, ageMs }, `${role} hangs and is killed`);
        this.#heartbeats.killed(role, performance.now());
        this.#roles.get(role)?.kill();
      }
      checks[role] = (isAlive ? this.#heartbeats.checkOf(role) : null) ?? {
        ok: false,
        detail: 'ended, is being started again',
      };
    }
    for (const [engine, check] of this.#engineChecks) checks[engine] = check();
    checks.memory = { ok: true, detail: this.#describeMemory() };
    this.#checks = checks;
    for (const role of ['edge', 'web'] as const) {
      this.#roles.get(role)?.send({ type: 'health', checks, digest: this.#digest });
    }
  }

  #describeMemory(): string {
    const { name } = this.#config.memory;
    return `the ${name} profile, of ${Math.round(this.#machineBytes / 1024 ** 2)} MiB`;
  }

  #partOf(role: RoleName): SupervisedProcess | undefined {
    return [...this.#parts].find(([names]) => names.split(',').includes(role))?.[1];
  }

  #writeRuntime(): void {
    if (!this.#init || this.#isStopping) return;
    // Roles that share a process have the same.
    const processes = Object.fromEntries(
      [...this.#parts].flatMap(([names, part]) => names.split(',').map((name) => [name, part.pid])),
    );
    try {
      writeRuntime(this.#config.dataDir, {
        url: this.#config.publicUrl,
        localUrl: this.#localUrl,
        pid: process.pid,
        databaseUrl: this.#init.databaseUrl,
        databaseDirectUrl: this.#init.databaseDirectUrl,
        clickhouseUrl: this.#init.clickhouseUrl,
        processes,
      });
      this.#isRuntimeStale = false;
    } catch (error) {
      if (!this.#isRuntimeStale)
        this.#log.error({ error: String(error) }, 'runtime.json could not be written');
      this.#isRuntimeStale = true;
    }
  }
}

/** The edge, or who answers in its place, as seen from this machine. */
function localAddress({ host: listens, port }: Pick<Config, 'host' | 'port'>): string {
  const host = listens === '0.0.0.0' || listens === '::' ? '127.0.0.1' : listens;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** A promise of the signal to stop: SIGINT, SIGTERM, SIGHUP, or the end of the process that started us. More of them change nothing. */
function stopSignal(parentPid: number | null): Promise<void> & { isSet(): boolean } {
  let isSet = false;
  const promise = new Promise<void>((resolve) => {
    const stop = () => {
      isSet = true;
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
    process.on('SIGHUP', stop);
    process.on('disconnect', stop);
    // It may be killed without a word; then we are somebody else's child.
    if (parentPid !== null) {
      setInterval(() => {
        if (process.ppid !== parentPid) stop();
      }, PARENT_LOOK_MS).unref();
    }
  });
  return Object.assign(promise, { isSet: () => isSet });
}

/**
 * What a start says at its end. One text, so that whoever waits for its first line has the others too; what is to be
 * used next stands last.
 */
export function describeStart(publicUrl: string, firstRun: FirstRun, tookMs: number): string {
  const { protocol, hostname } = new URL(publicUrl);
  const lines = [`Errata is ready: ${publicUrl}`];
  lines.push(`Started in ${(Math.max(0, tookMs) / 1000).toFixed(1)} s. Ctrl-C stops everything.`);
  if (isLoopbackHost(hostname)) {
    lines.push('Note: only this machine reaches that address. Set ERRATA_URL to the one that others reach.');
  } else if (protocol === 'http:') {
    lines.push(
      'Note: passwords and events travel unencrypted over plain http. Put https in front where the network is not yours.',
    );
  }
  if (firstRun.kind === 'setup') {
    lines.push(`Finish setup here (the link works once): ${firstRun.address}`);
  } else if (firstRun.dsn) {
    lines.push(`DSN: ${firstRun.dsn}`);
  }
  return lines.join('\n');
}
