import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as Sentry from '@sentry/node';
import { afterAll, expect, test } from 'vitest';
import { openClickhouse } from '#storage/clickhouse/open-clickhouse.ts';
import { openPostgres } from '#storage/postgres/database.ts';
import { authHeader, eventEnvelope, newEventId, parseDsn } from '../../harness/envelope.ts';
import { killTree } from '../../harness/processes.ts';
import { readRuntimeUrls } from '../../harness/read-runtime.ts';
import { runCli, startErrata } from '../../harness/start-errata.ts';
import { until } from '../../harness/until.ts';

const KEY = 'a phrase of the operator, long enough';
/** Before the backup, and what keeps arriving meanwhile. */
const EVENTS_BEFORE = 3_000;
const SENDERS = 8;

const folder = mkdtempSync(path.join(tmpdir(), 'errata-destroyed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Sent = { ids: Map<string, number>; stop(): Promise<void> };

/** Sends events without a pause; each id with the time at which it was answered with 200. */
function send(dsn: string): Sent {
  const parsed = parseDsn(dsn);
  const ids = new Map<string, number>();
  let isOver = false;
  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    while (!isOver) {
      const id = newEventId();
      const body = eventEnvelope({
        event_id: id,
        message: `Event of ${sender}`,
        timestamp: Date.now() / 1_000,
        tags: { sender: String(sender) },
        fingerprint: [`sender ${sender}`],
      });
      const response = await fetch(`${parsed.origin}/api/${parsed.projectId}/envelope/`, {
        method: 'POST',
        headers: { 'x-sentry-auth': authHeader(parsed) },
        body: new Uint8Array(body),
      }).catch(() => null);
      await response?.arrayBuffer().catch(() => {});
      if (response?.status === 200) ids.set(id, Date.now());
    }
  });
  return {
    ids,
    async stop() {
      isOver = true;
      await Promise.all(senders);
    },
  };
}

/** Of everything that the stores hold. */
async function readStored(dataDir: string) {
  const { databaseUrl, clickhouseUrl } = readRuntimeUrls(dataDir);
  const clickhouse = openClickhouse(clickhouseUrl);
  const postgres = openPostgres(databaseUrl, { poolMax: 1 });
  try {
    const rows = await clickhouse.query<{ id: string }>('SELECT DISTINCT event_id AS id FROM events', {});
    const counted = await postgres.pool.query<{ count: number }>(
      'SELECT coalesce(sum(times_seen), 0)::int AS count FROM issues',
    );
    return { ids: new Set(rows.map(({ id }) => id)), counted: counted.rows[0]?.count ?? 0 };
  } finally {
    await Promise.all([clickhouse.close(), postgres.close()]);
  }
}

test('a machine that was destroyed comes back with everything that was accepted before its backup', async () => {
  await using server = await startErrata();
  const dsn = server.dsn ?? '';
  // A real SDK among them, with an attachment.
  Sentry.init({ dsn, defaultIntegrations: false });
  const ofSdk = Sentry.withScope((scope) => {
    scope.addAttachment({ filename: 'log.txt', data: 'what happened '.repeat(500) });
    return Sentry.captureException(new Error('From a real SDK'));
  });
  await Sentry.flush(20_000);
  const load = send(dsn);
  await until('enough events', () => load.ids.size >= EVENTS_BEFORE, { timeoutMs: 120_000 });
  const env = { ERRATA_DATA_DIR: server.dataDir, ERRATA_BACKUP_KEY: KEY };
  const made = await runCli(['backup', 'create', '--folder', folder, '--json'], env);
  expect(made.code, made.stderr).toBe(0);
  const head = JSON.parse(made.stdout) as { id: string; momentMs: number; pausedMs: number; tookMs: number };
  await delay(500);
  await killTree(server.pid);
  await load.stop();
  rmSync(server.dataDir, { recursive: true });
  const before = [...load.ids].filter(([, at]) => at <= head.momentMs).map(([id]) => id);
  const after = load.ids.size - before.length;
  console.log(
    `${before.length} events before the moment, ${after} after it; the backup took ${head.tookMs} ms, digest waited ${head.pausedMs} ms`,
  );
  expect(before.length).toBeGreaterThanOrEqual(EVENTS_BEFORE);
  expect(after, 'events that arrived while the backup was made').toBeGreaterThan(0);

  const verified = await runCli(['backup', 'verify', '--restore', '--folder', folder], env);
  expect(verified.code, verified.stderr).toBe(0);
  const dataDir = path.join(mkdtempSync(path.join(tmpdir(), 'errata-elsewhere-')), 'data');
  const elsewhere = { ...env, ERRATA_DATA_DIR: dataDir };
  const refused = await runCli(['backup', 'restore', '--folder', folder], {
    ...elsewhere,
    ERRATA_BACKUP_KEY: 'another phrase, just as long as that',
  });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('another key')]);
  const restored = await runCli(['backup', 'restore', '--folder', folder], elsewhere);
  expect(restored.code, restored.stderr).toBe(0);

  await using again = await startErrata({ dataDir });
  const { ids } = await until(
    'everything that waited is stored and counted',
    async () => {
      const stored = await readStored(again.dataDir);
      return stored.counted >= before.length + 1 && stored.counted === stored.ids.size ? stored : null;
    },
    { timeoutMs: 120_000, everyMs: 500 },
  );
  expect(before.filter((id) => !ids.has(id))).toEqual([]);
  expect(ids.has(ofSdk)).toBe(true);
  // It goes on where it was: the same project takes new events, and knows those that come twice.
  const [known] = before;
  const parsed = parseDsn(again.dsn ?? '');
  const fresh = newEventId();
  for (const id of [known ?? '', fresh]) {
    await fetch(`${parsed.origin}/api/${parsed.projectId}/envelope/`, {
      method: 'POST',
      headers: { 'x-sentry-auth': authHeader(parsed) },
      body: new Uint8Array(eventEnvelope({ event_id: id, message: 'Once more', fingerprint: ['once more'] })),
    });
  }
  const last = await until(
    'the new event',
    async () => {
      const stored = await readStored(again.dataDir);
      return stored.ids.has(fresh) && stored.counted === stored.ids.size ? stored : null;
    },
    { timeoutMs: 60_000, everyMs: 500 },
  );
  expect(last.ids.size).toBe(ids.size + 1);
});
