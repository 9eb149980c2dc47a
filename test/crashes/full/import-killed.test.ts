import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openClickhouse } from '#storage/clickhouse/open-clickhouse.ts';
import { openPostgres } from '#storage/postgres/database.ts';
import { authHeader, eventEnvelope, newEventId, parseDsn } from '../../harness/envelope.ts';
import { killTree } from '../../harness/processes.ts';
import { readRuntimeUrls } from '../../harness/read-runtime.ts';
import { type ErrataServer, runCli, startErrata } from '../../harness/start-errata.ts';
import { until } from '../../harness/until.ts';

const EVENTS = 8_000;
const ISSUES = 40;
const AT_ONCE = 16;
const ROUNDS_MAX = 60;
/** The import gets a bit longer each time: it must come to its end, and be killed at many points before. */
const KILL_AFTER_MS = { first: 1_200, more: 250 } as const;
/** In this round the whole server is killed as well. */
const SERVER_KILLED_IN = 4;

const folder = path.join(mkdtempSync(path.join(tmpdir(), 'errata-import-')), 'export');
afterAll(() => rmSync(path.dirname(folder), { recursive: true, force: true }));

async function sendEvents(dsn: string): Promise<void> {
  const parsed = parseDsn(dsn);
  let sent = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let number = sent++; number < EVENTS; number = sent++) {
        const body = eventEnvelope({
          event_id: newEventId(),
          message: `Event ${number}`,
          fingerprint: [`issue ${number % ISSUES}`],
          tags: { number: String(number) },
        });
        const response = await fetch(`${parsed.origin}/api/${parsed.projectId}/envelope/`, {
          method: 'POST',
          headers: { 'x-sentry-auth': authHeader(parsed) },
          body: new Uint8Array(body),
        });
        expect(response.status).toBe(200);
        await response.arrayBuffer();
      }
    }),
  );
}

/** Of an organization: how often each issue was seen, and how many different events are stored. */
async function readOrganization(dataDir: string, slug: string) {
  const { databaseUrl, clickhouseUrl } = readRuntimeUrls(dataDir);
  const clickhouse = openClickhouse(clickhouseUrl);
  const postgres = openPostgres(databaseUrl, { poolMax: 1 });
  try {
    const issues = await postgres.pool.query<{ projectId: number; timesSeen: number }>(
      `SELECT projects.id::int AS "projectId", times_seen::int AS "timesSeen" FROM issues
       JOIN projects ON projects.id = project_id JOIN organizations ON organizations.id = projects.organization_id
       WHERE organizations.slug = $1 AND projects.slug = 'default' ORDER BY times_seen, issues.id`,
      [slug],
    );
    const [stored] = await clickhouse.query<{ events: number }>(
      'SELECT uniqExact(event_id) AS events FROM events WHERE project_id = {projectId:UInt64}',
      { projectId: issues.rows[0]?.projectId ?? 0 },
    );
    return { timesSeen: issues.rows.map(({ timesSeen }) => timesSeen), events: stored?.events ?? 0 };
  } finally {
    await Promise.all([clickhouse.close(), postgres.close()]);
  }
}

test('an import that is killed again and again, once with its server, ends with what the source has', async () => {
  await using first = await startErrata();
  const { dataDir } = first;
  const env = { ERRATA_DATA_DIR: dataDir };
  await sendEvents(first.dsn ?? '');
  const source = await until(
    'every event is counted',
    async () => {
      const read = await readOrganization(dataDir, 'main');
      return read.events === EVENTS && read.timesSeen.reduce((sum, times) => sum + times, 0) === EVENTS
        ? read
        : null;
    },
    { timeoutMs: 120_000, everyMs: 500 },
  );
  const exported = await runCli(['export', '--org', 'main', '--to', folder], env);
  expect(exported.code, exported.stderr).toBe(0);

  const args = ['import', 'errata', folder, '--organization', 'copy'];
  let again: ErrataServer | null = null;
  let kills = 0;
  try {
    for (let round = 1; ; round += 1) {
      expect(round, 'rounds').toBeLessThan(ROUNDS_MAX);
      const killAfterMs = KILL_AFTER_MS.first + round * KILL_AFTER_MS.more;
      const run = runCli(args, env, { killAfterMs });
      if (round === SERVER_KILLED_IN) {
        await killTree(first.pid);
        await run;
        again = await startErrata({ dataDir });
        continue;
      }
      const { code, stderr } = await run;
      if (code === 0) break;
      expect(code, stderr).toBeNull();
      kills += 1;
    }
    console.log(`killed ${kills} times before it ended by itself`);
    expect(kills).toBeGreaterThan(3);
    await until('every event of the copy is counted', async () => {
      const copy = await readOrganization(dataDir, 'copy');
      return copy.timesSeen.reduce((sum, times) => sum + times, 0) >= EVENTS;
    });
    expect(await readOrganization(dataDir, 'copy')).toEqual(source);
    const once = await runCli([...args, '--report', path.join(path.dirname(folder), 'report.json')], env);
    expect(once.code, once.stderr).toBe(0);
    expect(await readOrganization(dataDir, 'copy')).toEqual(source);
  } finally {
    await again?.[Symbol.asyncDispose]();
  }
});
