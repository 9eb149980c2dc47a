import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiClient } from '../../harness/api-client.ts';
import { parseDsn } from '../../harness/envelope.ts';
import { expectAccepted } from '../../harness/expect-accepted.ts';
import { IS_FULL } from '../../harness/is-full.ts';
import { makeSampleEnvelopes } from '../../harness/sample-items.ts';
import { chooseSeed, seededRandom } from '../../harness/seeded-random.ts';
import { type ErrataServer, type Role, startErrata } from '../../harness/start-errata.ts';
import { deliverEnvelopes } from '../../harness/stubborn-envelopes.ts';
import { waitUntilReady } from '../../harness/wait-until-ready.ts';

const ROUNDS = IS_FULL ? 200 : 40;
const KILLS = 3;
const VICTIMS: readonly Role[] = ['edge', 'digest', 'postgres', 'clickhouse'];

let server: ErrataServer;
const random = seededRandom(chooseSeed());

beforeAll(async () => {
  server = await startErrata();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

test.each(VICTIMS)(
  'kill -9 of %s while every type of item arrives: nothing that was answered is lost',
  async (role) => {
    const slug = `types-${role}`;
    const dsn = parseDsn(await server.project(slug));
    const api = createApiClient(server.url, await server.token());
    const envelopes = Array.from({ length: ROUNDS }, (_, round) =>
      makeSampleEnvelopes(`${role}-${round}`),
    ).flat();
    let isDone = false;
    const killed: number[] = [];
    const killing = (async () => {
      while (!isDone && killed.length < KILLS) {
        await sleep(200 + random() * 600);
        const pid = await server.pids().then(
          (pids) => pids[role],
          () => undefined,
        );
        if (pid === undefined || killed.includes(pid)) continue;
        try {
          process.kill(pid, 'SIGKILL');
          killed.push(pid);
        } catch {
          // It is being replaced.
        }
      }
    })();
    const sent = await deliverEnvelopes(dsn, envelopes);
    isDone = true;
    await killing;
    expect(killed.length).toBeGreaterThan(0);
    await waitUntilReady(server.url);
    await expectAccepted(api, slug, sent);
  },
);
