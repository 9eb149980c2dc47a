import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { MemoryProfile } from '#config/memory-profile.ts';
import type { RoleName } from '#config.ts';
import type { FromRole, RoleInit, ToRole } from './messages.ts';
import type { Running } from './supervised-process.ts';
import { yieldProcessor } from './yield-processor.ts';

/** Filled by the build; as in bin/lib/compile-cache.mjs. */
const COMPILE_CACHE = join(import.meta.dirname, '../../.next/compile-cache');

/**
 * Digest yields the processor to the edge and the pages: under a flood events wait in the spool, and nobody is refused.
 * It does so once it works: on a busy machine it would load its code for minutes, and nothing is ready before.
 */
const NICE: Readonly<Record<RoleProcessName, number>> = { prepare: 0, edge: 0, digest: 10, web: 0, jobs: 10 };
/**
 * Up to this share of its bound the old part of the edge's heap grows without a collection of all of it. What is
 * received lies outside of the heap, but counts: with a small heap the edge collected all of it five times a second, at
 * 35 µs for each request.
 */
const EDGE_FIRST_SHARE = 0.4;

/** Bounds of the heap: without them the engine lets garbage pile up by the size of the machine. */
function heapFlags(names: readonly RoleProcessName[], { heaps }: MemoryProfile): string[] {
  const heapMiB = names.reduce((sum, name) => sum + heaps[name].heapMiB, 0);
  const youngMiB = Math.max(...names.map((name) => heaps[name].youngMiB));
  const first = names.includes('edge')
    ? [`--initial-old-space-size=${Math.floor(heapMiB * EDGE_FIRST_SHARE)}`]
    : [];
  return ['--expose-gc', `--max-old-space-size=${heapMiB}`, `--max-semi-space-size=${youngMiB}`, ...first];
}

/**
 * The C library keeps freed memory in pools, eight for each processor: one is a fifth less memory for digest and web, and costs no time
 * where one thread does most of the work. On more than two processors digest has several.
 */
function allocatorSettings(names: readonly RoleProcessName[]): Record<string, string> {
  const hasThreads = names.includes('digest') && availableParallelism() > 2;
  return hasThreads ? {} : { MALLOC_ARENA_MAX: '1' };
}

/** The program that we run ourselves: that of the build, or the sources. */
const program = () => process.argv[1] ?? join(import.meta.dirname, '../main.ts');

export type RoleProcess = Running & { send(message: ToRole): void; kill(): void };

/**
 * Starts `role <names>` of the program with a channel to it, one process for all of them; it ends itself when the
 * channel closes.
 */
export function spawnRole(
  names: readonly RoleProcessName[],
  init: RoleInit,
  memory: MemoryProfile,
  onMessage: (message: FromRole) => void,
): RoleProcess {
  const bounds = init.isDevelopment ? [] : heapFlags(names, memory);
  const nice = Math.min(...names.map((name) => NICE[name]));
  const child = spawn(
    process.execPath,
    [...process.execArgv, ...bounds, program(), 'role', names.join(',')],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: {
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        ...allocatorSettings(names),
        ...roleEnvironment(names, process.env),
        NODE_ENV: init.isDevelopment ? 'development' : 'production',
      },
    },
  );
  let ended = false;
  const exited = new Promise<void>((resolve) => {
    const end = () => {
      ended = true;
      resolve();
    };
    child.once('exit', end);
    child.once('error', end);
  });
  // A message to a process that is just dying fails; its end is noticed by `exited`.
  const send = (message: ToRole) => {
    if (child.connected) child.send(message, () => {});
  };
  let hasYielded = nice === 0;
  child.on('message', (message: FromRole) => {
    if (message.type === 'heartbeat' && !hasYielded) {
      hasYielded = true;
      yieldProcessor(child.pid ?? 0, nice);
    }
    onMessage(message);
  });
  send(names.includes('edge') ? init : { ...init, metricsToken: '' });
  return {
    pid: child.pid ?? 0,
    exited,
    send,
    kill: () => child.kill('SIGKILL'),
    async stop(msMax) {
      if (ended) return;
      send({ type: 'stop' });
      await Promise.race([exited, delay(msMax, undefined, { ref: false })]);
      if (!ended) child.kill('SIGKILL');
      await exited;
    },
  };
}

/** A process that the supervisor starts. */
type RoleProcessName = RoleName | 'prepare';

/**
 * Which processes need a setting that is a secret, or that is only complete with one. Nobody reads `DATABASE_URL` and
 * its like from the environment: the supervisor sends them as the first message.
 */
export const SECRET_SETTINGS: Readonly<Record<string, readonly RoleProcessName[]>> = {
  ERRATA_SECRET: [],
  ERRATA_SECRET_FILE: [],
  DATABASE_URL: [],
  DATABASE_URL_FILE: [],
  DATABASE_DIRECT_URL: [],
  DATABASE_DIRECT_URL_FILE: [],
  CLICKHOUSE_URL: [],
  CLICKHOUSE_URL_FILE: [],
  CLICKHOUSE_CLUSTER: [],
  ERRATA_BLOBS_URL: ['edge', 'digest', 'web', 'jobs'],
  ERRATA_S3_ACCESS_KEY_ID: ['edge', 'digest', 'web', 'jobs'],
  ERRATA_S3_SECRET_ACCESS_KEY: ['edge', 'digest', 'web', 'jobs'],
  ERRATA_S3_SECRET_ACCESS_KEY_FILE: ['edge', 'digest', 'web', 'jobs'],
  ERRATA_SPOOL_URL: ['edge', 'digest', 'web', 'jobs'],
  ERRATA_KAFKA_USERNAME: ['edge', 'digest', 'web', 'jobs'],
  ERRATA_KAFKA_PASSWORD: ['edge', 'digest', 'web', 'jobs'],
  ERRATA_KAFKA_PASSWORD_FILE: ['edge', 'digest', 'web', 'jobs'],
  ERRATA_ADMIN_EMAIL: ['prepare'],
  ERRATA_ADMIN_PASSWORD: ['prepare'],
  ERRATA_ADMIN_PASSWORD_FILE: ['prepare'],
  ERRATA_METRICS_TOKEN: ['edge'],
  ERRATA_METRICS_TOKEN_FILE: ['edge'],
  ERRATA_SMTP_URL: ['web', 'jobs'],
  ERRATA_SMTP_URL_FILE: ['web', 'jobs'],
  ERRATA_MAIL_FROM: ['web', 'jobs'],
  ERRATA_BACKUP_KEY: ['prepare', 'jobs'],
  ERRATA_BACKUP_KEY_FILE: ['prepare', 'jobs'],
  ERRATA_IMPORT_TOKEN: [],
  ERRATA_OIDC_ISSUER: ['web'],
  ERRATA_OIDC_CLIENT_ID: ['web'],
  ERRATA_OIDC_CLIENT_SECRET: ['web'],
  ERRATA_OIDC_CLIENT_SECRET_FILE: ['web'],
  ERRATA_OIDC_AUTO_JOIN: ['web'],
};

/** The environment of a process: that of the supervisor without the secrets that are not for it. */
export function roleEnvironment(
  names: readonly RoleProcessName[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([setting]) => SECRET_SETTINGS[setting]?.some((name) => names.includes(name)) ?? true,
    ),
  );
}

/** The supervisor needs it no more once the owner is there; what it was started with the system keeps. */
export function forgetAdminPassword(env: NodeJS.ProcessEnv): void {
  delete env.ERRATA_ADMIN_PASSWORD;
}
