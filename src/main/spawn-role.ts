import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RoleName } from '#config.ts';
import type { FromRole, RoleInit, ToRole } from './messages.ts';
import type { Running } from './supervised-process.ts';
import { yieldProcessor } from './yield-processor.ts';

const STOP_TIMEOUT_MS = 4_000;
/** Filled by the build; as in bin/lib/compile-cache.mjs. */
const COMPILE_CACHE = join(import.meta.dirname, '../../.next/compile-cache');

/**
 * Bounds of the heap in MiB: without them the engine lets garbage pile up by the size of the machine. Digest yields
 * the processor to the edge and the pages: under a flood events wait in the spool, and nobody is refused. It does so
 * once it works: on a busy machine it would load its code for minutes, and nothing is ready before.
 */
const PROCESS: Readonly<Record<RoleProcessName, Bounds>> = {
  prepare: { heapMiB: 256, youngMiB: 8, nice: 0 },
  edge: { heapMiB: 320, youngMiB: 16, nice: 0, firstMiB: 128 },
  digest: { heapMiB: 384, youngMiB: 16, nice: 10 },
  web: { heapMiB: 512, youngMiB: 16, nice: 0 },
  jobs: { heapMiB: 128, youngMiB: 4, nice: 10 },
};

type Bounds = {
  heapMiB: number;
  youngMiB: number;
  nice: number;
  /**
   * Up to here the old part of the heap grows without a collection of all of it. What is received lies outside of the
   * heap, but counts: with a small heap the edge collected all of it five times a second, at 35 µs for each request.
   */
  firstMiB?: number;
};

export type RoleProcess = Running & { send(message: ToRole): void; kill(): void };

/** Starts `main.ts role <name>` with a channel to it; the role ends itself when the channel closes. */
export function spawnRole(
  name: RoleProcessName,
  init: RoleInit,
  onMessage: (message: FromRole) => void,
): RoleProcess {
  const { heapMiB, youngMiB, nice, firstMiB } = PROCESS[name];
  const bounds = init.isDevelopment
    ? []
    : [
        `--max-old-space-size=${heapMiB}`,
        `--max-semi-space-size=${youngMiB}`,
        ...(firstMiB === undefined ? [] : [`--initial-old-space-size=${firstMiB}`]),
      ];
  const child = spawn(
    process.execPath,
    [...process.execArgv, ...bounds, join(import.meta.dirname, '../main.ts'), 'role', name],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: {
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        ...roleEnvironment(name, process.env),
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
  send(name === 'edge' ? init : { ...init, metricsToken: '' });
  return {
    pid: child.pid ?? 0,
    exited,
    send,
    kill: () => child.kill('SIGKILL'),
    async stop() {
      if (ended) return;
      send({ type: 'stop' });
      await Promise.race([exited, delay(STOP_TIMEOUT_MS, undefined, { ref: false })]);
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
  DATABASE_URL: [],
  CLICKHOUSE_URL: [],
  ERRATA_ADMIN_EMAIL: ['prepare'],
  ERRATA_ADMIN_PASSWORD: ['prepare'],
  ERRATA_ADMIN_PASSWORD_FILE: ['prepare'],
  ERRATA_METRICS_TOKEN: ['edge'],
  ERRATA_SMTP_URL: ['web', 'jobs'],
  ERRATA_MAIL_FROM: ['web', 'jobs'],
  ERRATA_OIDC_ISSUER: ['web'],
  ERRATA_OIDC_CLIENT_ID: ['web'],
  ERRATA_OIDC_CLIENT_SECRET: ['web'],
  ERRATA_OIDC_AUTO_JOIN: ['web'],
};

/** The environment of a process: that of the supervisor without the secrets that are not for it. */
export function roleEnvironment(
  name: RoleProcessName,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([setting]) => SECRET_SETTINGS[setting]?.includes(name) ?? true),
  );
}

/** The supervisor needs it no more once the owner is there; what it was started with the system keeps. */
export function forgetAdminPassword(env: NodeJS.ProcessEnv): void {
  delete env.ERRATA_ADMIN_PASSWORD;
}
