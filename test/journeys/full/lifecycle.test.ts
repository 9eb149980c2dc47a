import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '#storage/embedded/free-port.ts';
import { createApiClient } from '../../harness/api-client.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { isAlive, listProcessTree } from '../../harness/processes.ts';
import { readReadiness } from '../../harness/read-health.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import {
  childEnv,
  type ErrataServer,
  makeDataDir,
  ROOT,
  runServeToEnd,
  startErrata,
} from '../../harness/start-errata.ts';
import { until } from '../../harness/until.ts';
import { waitUntilReady } from '../../harness/wait-until-ready.ts';

const STOP_WITHIN_MS = 10_000;
const SECOND_START_WITHIN_MS = 10_000;
/** No orphan may be left this long after the supervisor was killed. */
const ORPHANS_GONE_WITHIN_MS = 10_000;

let server: ErrataServer;
let partsNotReady: [string, unknown][];

beforeAll(async () => {
  server = await startErrata();
  partsNotReady = await listPartsNotReady();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

async function sendOne(issue: number): Promise<string> {
  const event = makeJavascriptError({ issue, bytes: 2000 });
  expect((await postEnvelope(parseDsn(server.dsn ?? ''), eventEnvelope(event))).status).toBe(200);
  return event.event_id;
}

async function listPartsNotReady(): Promise<[string, unknown][]> {
  const { checks } = await readReadiness(server);
  return Object.entries(checks).filter(([, check]) => !check.ok);
}

async function listAllPids(): Promise<number[]> {
  return listProcessTree([server.pid, ...Object.values(await server.pids())]);
}

describe('a running server', () => {
  test('says that it is ready only once every part is', async () => {
    expect(partsNotReady).toEqual([]);
  });

  test('says what it does, and nothing of its framework', () => {
    expect(server.output()).toContain('Starting edge, digest, web, jobs');
    expect(server.output()).not.toMatch(/next/i);
  });

  test('refuses a second one on the same data and stays what it was', async () => {
    const second = await runServeToEnd({ dataDir: server.dataDir });
    expect(second.code).not.toBe(0);
    expect(`${second.stdout}${second.stderr}`).toContain(server.dataDir);
    expect(second.stdout).not.toContain('Errata is ready');
    expect(await listPartsNotReady()).toEqual([]);
  });

  test('keeps what it must keep to itself from other users of the machine', async () => {
    const { readdirSync, statSync } = await import('node:fs');
    const secrets = readdirSync(server.dataDir, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && /secret|password|credential|token/i.test(entry.name),
    );
    expect(secrets.length).toBeGreaterThan(0);
    for (const entry of secrets) {
      expect([entry.name, statSync(`${entry.parentPath}/${entry.name}`).mode & 0o077]).toEqual([
        entry.name,
        0,
      ]);
    }
  });

  test('stops within ten seconds of SIGTERM and leaves no process', async () => {
    const pids = await listAllPids();
    expect(pids.length).toBeGreaterThanOrEqual(5);
    const tookMs = await server.stop();
    expect(tookMs).toBeLessThan(STOP_WITHIN_MS);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('is ready within ten seconds at its second start, builds nothing, and has what it had', async () => {
    server = await server.restart();
    expect(server.readyAfterMs).toBeLessThan(SECOND_START_WITHIN_MS);
    expect(server.output()).not.toMatch(/building|compil/i);
    const id = await sendOne(1);
    const api = createApiClient(server.url, await server.token());
    await findEvent(api, 'default', id);
    server = await server.restart();
    await findEvent(api, 'default', id);
  });

  test('leaves no child when its supervisor is killed, and starts again with all it had answered', async () => {
    const pids = await listAllPids();
    const id = await sendOne(2);
    await server.killSupervisor();
    await until('the end of every child', () => pids.filter(isAlive).length === 0, {
      timeoutMs: ORPHANS_GONE_WITHIN_MS,
    });
    server = await server.restart();
    const api = createApiClient(server.url, await server.token());
    await findEvent(api, 'default', id, 10_000);
  });

  test('starts a role again that died', async () => {
    const before = await server.pids();
    for (const role of ['digest', 'web', 'jobs', 'edge'] as const) process.kill(before[role], 'SIGKILL');
    await until(
      'every role with a new process',
      async () => {
        const now = await server.pids();
        return (['digest', 'web', 'jobs', 'edge'] as const).every(
          (role) => now[role] !== before[role] && isAlive(now[role]),
        );
      },
      { timeoutMs: 15_000 },
    );
    await waitUntilReady(server.url);
  });
});

describe('the launcher of npm start', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s to it alone stops the server, and says so last',
    async (signal) => {
      const launcher = await startLauncher();
      try {
        expect(launcher.output()).not.toMatch(/"msg":"(Migrating|A job finished)/);
        const pids = listProcessTree([launcher.child.pid ?? 0]);
        expect(pids.length).toBeGreaterThanOrEqual(5);
        launcher.child.kill(signal);
        await until('the end of the launcher', launcher.hasEnded, { timeoutMs: STOP_WITHIN_MS });
        expect([launcher.child.exitCode, pids.filter(isAlive)]).toEqual([0, []]);
        expect(launcher.stdout().trimEnd().split('\n').at(-1)).toBe('Errata has stopped.');
      } finally {
        await launcher.dispose();
      }
    },
  );

  test('Ctrl-C, which reaches every process of the terminal, stops it as cleanly', async () => {
    const launcher = await startLauncher();
    try {
      process.kill(-(launcher.child.pid ?? 0), 'SIGINT');
      await until('the end of the launcher', launcher.hasEnded, { timeoutMs: STOP_WITHIN_MS });
      expect([launcher.child.exitCode, launcher.child.signalCode]).toEqual([0, null]);
      expect(launcher.stdout()).toMatch(/Stopping …\nErrata has stopped\.\n$/);
    } finally {
      await launcher.dispose();
    }
  });
});

/** `node bin/start.mjs` on data of its own, in a process group of its own. */
async function startLauncher() {
  const dataDir = makeDataDir();
  const child = spawn(process.execPath, ['bin/start.mjs'], {
    cwd: ROOT,
    detached: true,
    env: childEnv({ PORT: String(await findFreePort()), ERRATA_DATA_DIR: dataDir }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      said[name] += chunk;
    });
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  await until('the one-time address', () => hasEnded() || said.stdout.includes('/setup?token='), {
    timeoutMs: 120_000,
  });
  return {
    child,
    hasEnded,
    stdout: () => said.stdout,
    output: () => `${said.stdout}${said.stderr}`,
    dispose: async () => {
      for (const pid of listProcessTree([child.pid ?? 0])) process.kill(pid, 'SIGKILL');
      await until('the end of the killed launcher', hasEnded);
      rmSync(path.dirname(dataDir), { recursive: true, force: true });
    },
  };
}

describe('a start that must be refused', () => {
  const cases: [string, Record<string, string>, string][] = [
    ['an unknown setting', { ERRATA_DATA_DIRR: '/tmp' }, 'ERRATA_DATA_DIRR'],
    ['a port that is none', { PORT: 'abc' }, 'PORT'],
    ['a size that is none', { ERRATA_SPOOL_BYTES_MAX: '2GB' }, 'ERRATA_SPOOL_BYTES_MAX'],
    ['an address that is none', { ERRATA_URL: 'errors.example.com' }, 'ERRATA_URL'],
    ['a short password', { ERRATA_ADMIN_PASSWORD: 'short' }, 'ERRATA_ADMIN_PASSWORD'],
    ['a store that is none', { DATABASE_URL: 'mysql://x/y' }, 'DATABASE_URL'],
  ];

  test.each(cases)('%s stops it with its name', async (_name, env, mention) => {
    const result = await runServeToEnd({ env });
    expect(result.code).not.toBe(0);
    expect(result.code).not.toBeNull();
    expect(result.stderr).toContain(mention);
    expect(result.stdout).not.toContain('Errata is ready');
  });
});
