import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiClient } from '../../harness/api-client.ts';
import { parseDsn } from '../../harness/envelope.ts';
import { IS_FULL } from '../../harness/is-full.ts';
import { isAlive } from '../../harness/processes.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { chooseSeed, seededRandom } from '../../harness/seeded-random.ts';
import { type ErrataServer, type Role, startErrata } from '../../harness/start-errata.ts';
import { expectExactlyOnce } from '../../harness/stored-events.ts';
import { deliverStubbornly } from '../../harness/stubborn-client.ts';
import { waitUntilReady } from '../../harness/wait-until-ready.ts';

const EVENTS = IS_FULL ? 5_000 : 1_000;
const ISSUES = 40;
const ROUNDS = IS_FULL ? 5 : 1;
const VICTIMS: readonly Role[] = ['edge', 'digest', 'postgres', 'clickhouse'];

let server: ErrataServer;
const seed = chooseSeed();

beforeAll(async () => {
  server = await startErrata();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** Digest has to catch up with 5,000 events, on a machine that may do other things as well. */
const COUNTED_MS_MAX = 5 * 60_000;

const cases = VICTIMS.flatMap((role) => Array.from({ length: ROUNDS }, (_, round) => ({ role, round })));

test.each(cases)(
  'kill -9 of $role, round $round: every event that was answered 200 is there exactly once',
  async ({ role, round }) => {
    const random = seededRandom(seed + round * 10 + VICTIMS.indexOf(role));
    const slug = `kill-${role}-${round}`;
    const dsn = parseDsn(await server.project(slug));
    const api = createApiClient(server.url, await server.token());
    const events = Array.from({ length: EVENTS }, (_, index) =>
      makeJavascriptError({ issue: index % ISSUES, bytes: 3000 }),
    );
    // Three kills, each once a random share of the events has been answered.
    const moments = Array.from({ length: 3 }, () => Math.floor(random() * EVENTS * 0.9)).sort(
      (a, b) => a - b,
    );
    const killed: number[] = [];
    let kills = Promise.resolve();

    const deliveries = await deliverStubbornly(dsn, events, {
      onAnswer: (answered) => {
        while (moments[0] !== undefined && answered >= moments[0]) {
          moments.shift();
          kills = kills.then(async () => {
            await sleep(random() * 50);
            killed.push(await killRole(role, killed));
          });
        }
      },
    });
    await kills;

    expect(killed).toHaveLength(3);
    expect(new Set(killed).size, 'each time another process').toBe(3);
    expect(deliveries.filter((delivery) => !delivery.answered)).toEqual([]);
    await waitUntilReady(server.url);
    await expectExactlyOnce(
      api,
      slug,
      deliveries.map((delivery) => delivery.eventId),
      COUNTED_MS_MAX,
    );
  },
);

/** Waits until the role runs as a process that was not killed yet, then kills it. */
async function killRole(role: Role, killed: readonly number[]): Promise<number> {
  for (let waitedMs = 0; waitedMs < 30_000; waitedMs += 50) {
    const pid = await server.pids().then(
      (pids) => pids[role],
      () => undefined,
    );
    if (pid !== undefined && !killed.includes(pid) && isAlive(pid)) {
      process.kill(pid, 'SIGKILL');
      return pid;
    }
    await sleep(50);
  }
  throw new Error(`The role ${role} did not come back`);
}
