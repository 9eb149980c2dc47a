// How long a backup takes, how large it is, and how long a restore takes: `node bin/run-built.mjs test/bench/backup-speed.ts`.
// ERRATA_BENCH_EVENTS stored events of distinct ids over 14 days, made of 1,000 that were sent.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventEnvelope, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { type CliResult, runCli, startErrata } from '../harness/start-errata.ts';
import { until } from '../harness/until.ts';
import { countStoredEvents, multiplyEvents } from './multiply-events.ts';

const EVENTS = Number(process.env.ERRATA_BENCH_EVENTS ?? 1_000_000);
const SEEDS = 1_000;
const SEED_BYTES = 5_000;
const TMP = process.env.ERRATA_BENCH_FOLDER ?? tmpdir();
const CLICKHOUSE_BYTES = 2_000_000_000;

const folder = mkdtempSync(path.join(TMP, 'errata-backups-'));
await using server = await startErrata({
  env: {
    ERRATA_CLICKHOUSE_MEMORY_BYTES_MAX: String(CLICKHOUSE_BYTES),
    ERRATA_DISK_BYTES_MAX: '200000000000',
  },
});
try {
  await fill();
  const env = {
    ERRATA_DATA_DIR: server.dataDir,
    ERRATA_BACKUP_KEY: 'a phrase of the operator, long enough',
    ERRATA_CLICKHOUSE_MEMORY_BYTES_MAX: String(CLICKHOUSE_BYTES),
  };
  const options = ['--folder', folder];
  print(await timed('the first backup', () => runCli(['backup', 'create', ...options], env)));
  await send(100);
  print(await timed('the second, 100 events later', () => runCli(['backup', 'create', ...options], env)));
  print(await timed('verify', () => runCli(['backup', 'verify', ...options], env)));
  print(
    await timed('verify --restore', () =>
      runCli(['backup', 'verify', '--restore', '--scratch', TMP, ...options], env),
    ),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function fill(): Promise<void> {
  await send(SEEDS);
  await until('the events are stored', async () => (await countStoredEvents(server.dataDir)) >= SEEDS, {
    timeoutMs: 120_000,
    everyMs: 500,
  });
  await multiplyEvents(server.dataDir, EVENTS, print);
  print(`${(await countStoredEvents(server.dataDir)).toLocaleString('en')} events are stored`);
}

async function send(events: number): Promise<void> {
  const dsn = parseDsn(server.dsn ?? '');
  for (let sent = 0; sent < events; sent++) {
    await postEnvelope(dsn, eventEnvelope(makeJavascriptError({ issue: sent % 50, bytes: SEED_BYTES })));
  }
}

async function timed(what: string, run: () => Promise<CliResult>): Promise<string> {
  const begunAt = performance.now();
  const { code, stdout, stderr } = await run();
  const seconds = ((performance.now() - begunAt) / 1_000).toFixed(1);
  const told = stderr.trim().split('\n').slice(-3).join(' · ');
  return `${what}: ${seconds} s, exit code ${code}: ${stdout.trim()} ${told}`;
}

function print(line: string): void {
  console.log(line);
}
