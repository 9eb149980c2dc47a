// 10,000 monitors that check in each minute, and then miss a run all at once:
// `node bin/run-built.mjs test/bench/monitors-speed.ts`. Says how late the misses were found, and what watching costs.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { limitConcurrency } from '#lib/limit-concurrency.ts';
import { MINUTE_MS, SECOND_MS } from '#lib/time.ts';
import { buildEnvelope, newEventId, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { startErrata } from '../harness/start-errata.ts';
import { readCpu, readMemory } from './measure-processes.ts';

const MONITORS = Number(process.env.ERRATA_BENCH_MONITORS ?? 10_000);
const AT_ONCE = 16;
/** Before the next minute begins: nobody is to check in at its edge. */
const EDGE_MS = 5 * SECOND_MS;
const GIVEN_UP_MS = 5 * MINUTE_MS;
const LOOK_EVERY_MS = 50;

await using server = await startErrata({});
const { databaseUrl } = JSON.parse(readFileSync(path.join(server.dataDir, 'runtime.json'), 'utf8')) as {
  databaseUrl: string;
};
const database = new pg.Client({ connectionString: databaseUrl });
await database.connect();
const dsn = parseDsn(await server.project('watched'));

await nextMinute();
await checkIn();
await until('every monitor', 'SELECT count(*) >= $1 FROM monitor_environments WHERE due_at IS NOT NULL');
await nextMinute();
const steady = measureMinute();
await checkIn();
print(`a minute of ${MONITORS} check-ins: ${await steady}`);

// The run of the next minute is missed when the one behind it begins, a minute of grace included.
const { rows } = await database.query<{ deadline: Date }>(
  'SELECT max(due_at) AS deadline FROM monitor_environments',
);
const deadline = rows[0]!.deadline.getTime();
const late = (atMs: number): string => `${((atMs - deadline) / SECOND_MS).toFixed(1)} s`;
const found = until('the misses', 'SELECT count(*) >= $1 FROM monitor_environments WHERE failures > 0');
const issues = until('the issues', 'SELECT count(*) >= $1 FROM issues');
const [foundAt, issuesAt] = await Promise.all([found, issues]);
print(`all missed at once: found ${late(foundAt)}, each an issue ${late(issuesAt)} after the deadline`);
await database.end();

/** One check-in of each monitor, all expected at the same second of every minute. */
async function checkIn(): Promise<void> {
  const send = limitConcurrency(async (index: number) => {
    const payload = JSON.stringify({
      check_in_id: newEventId(),
      monitor_slug: `job-${index}`,
      status: 'ok',
      monitor_config: { schedule: { type: 'crontab', value: '* * * * *' }, checkin_margin: 1 },
    });
    const { status } = await postEnvelope(dsn, buildEnvelope({}, [{ type: 'check_in', payload }]));
    if (status !== 200) throw new Error(`A check-in was answered ${status}`);
  }, AT_ONCE);
  await Promise.all(Array.from({ length: MONITORS }, (_, index) => send(index)));
}

/** What each part of the server takes from now on for a minute: `jobs 4.4 % of a core, 139 MB; …`. */
async function measureMinute(): Promise<string> {
  const before = await readCpu(server);
  const startedAt = Date.now();
  await sleep(MINUTE_MS);
  const tookSeconds = (Date.now() - startedAt) / 1_000;
  const [after, memory] = [await readCpu(server), await readMemory(server)];
  return Object.entries(after)
    .map(([part, cpu]) => {
      const share = (100 * (cpu - (before[part] ?? 0))) / tookSeconds;
      return `${part} ${share.toFixed(1)} % of a core, ${memory[part]} MB`;
    })
    .join('; ');
}

async function nextMinute(): Promise<void> {
  await sleep(MINUTE_MS - (Date.now() % MINUTE_MS) + EDGE_MS);
}

/** When the statement said so first. */
async function until(what: string, sql: string): Promise<number> {
  const giveUpAt = Date.now() + GIVEN_UP_MS;
  while (Date.now() < giveUpAt) {
    const { rows } = await database.query<{ isSo: boolean }>(sql.replace(' FROM', ' AS "isSo" FROM'), [
      MONITORS,
    ]);
    if (rows[0]?.isSo) return Date.now();
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error(`Gave up waiting for ${what}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
