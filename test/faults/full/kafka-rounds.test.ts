import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiClient } from '../../harness/api-client.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { IS_FULL } from '../../harness/is-full.ts';
import { type KafkaCluster, kafkaMissing, startKafkaCluster } from '../../harness/kafka-cluster.ts';
import { readOutcomes } from '../../harness/outcome-counts.ts';
import { readMetrics, readReadiness } from '../../harness/read-health.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { chooseSeed, seededRandom } from '../../harness/seeded-random.ts';
import { type ErrataServer, makeDataDir, startErrata } from '../../harness/start-errata.ts';
import { expectExactlyOnce } from '../../harness/stored-events.ts';
import { deliverStubbornly } from '../../harness/stubborn-client.ts';
import { until } from '../../harness/until.ts';
import { waitUntilReady } from '../../harness/wait-until-ready.ts';

const missing = IS_FULL ? kafkaMissing() : 'only in the full run';
const ROUNDS = Number(process.env.ERRATA_TEST_KAFKA_ROUNDS ?? 6);
const BROKERS = process.env.ERRATA_TEST_KAFKA_BROKERS === '1' ? 1 : 3;
const EVENTS = 400;

type Runtime = { databaseUrl: string; clickhouseUrl: string };

describe.skipIf(missing !== null)(
  missing === null ? 'the spool on Kafka' : `the spool on Kafka (skipped: ${missing})`,
  { timeout: 600_000 },
  () => {
    let cluster: KafkaCluster;
    let server: ErrataServer;
    /** A digest on another machine, as far as both know. */
    let other: ErrataServer;

    beforeAll(async () => {
      cluster = await startKafkaCluster(BROKERS);
      const copies = BROKERS === 3 ? '&replicas=3' : '';
      const dataDir = makeDataDir();
      const shared = {
        ERRATA_SPOOL_URL: `kafka://${cluster.brokers.join(',')}/errata?partitions=4${copies}`,
        ERRATA_BLOBS_URL: `file://${dataDir}/shared-blobs`,
      };
      server = await startErrata({ env: shared, dataDir });
      const runtime = JSON.parse(readFileSync(path.join(dataDir, 'runtime.json'), 'utf8')) as Runtime;
      other = await startErrata({
        roles: 'digest',
        admin: false,
        env: { ...shared, DATABASE_URL: runtime.databaseUrl, CLICKHOUSE_URL: runtime.clickhouseUrl },
      });
    }, 400_000);
    afterAll(async () => {
      await other?.[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
      await cluster?.remove();
    });

    test('two digests share the partitions, and the server says who has which', async () => {
      await until(
        'both to have partitions',
        async () => new Set(ownersOf(await readMetrics(server))).size === 2,
        { timeoutMs: 60_000, everyMs: 1_000 },
      );
      const { checks } = await readReadiness(server);
      expect(Object.keys(checks).filter((name) => name.startsWith('partition '))).toHaveLength(4);
      expect((await server.cli(['status'])).stdout).toMatch(
        /^ok {6}partition 0 +digested by .+:\d+, \d+ records wait/m,
      );
    });

    test('an event that comes again after its partition was handed over is a duplicate', async () => {
      const dsn = parseDsn(await server.project('again'));
      const api = createApiClient(server.url, await server.token());
      const events = Array.from({ length: 40 }, (_, index) =>
        makeJavascriptError({ issue: index, bytes: 2_000 }),
      );
      for (const event of events) expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
      const ids = events.map(({ event_id }) => event_id);
      await expectExactlyOnce(api, 'again', ids);
      await killDigest(other);
      await until(
        'the partitions to be taken over and given back',
        async () => ownersOf(await readMetrics(server)).length === 4,
        { timeoutMs: 60_000, everyMs: 500 },
      );
      // Both die, so that each has partitions that the other had.
      await Promise.all([killDigest(server), killDigest(other)]);
      for (const event of events) expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
      await until('forty duplicates', async () => duplicates(await readOutcomes(api, 'again')) >= 40, {
        timeoutMs: 60_000,
        everyMs: 500,
      });
      await expectExactlyOnce(api, 'again', ids);
    });

    test('whatever is killed, every event that was answered 200 is counted once', async () => {
      const random = seededRandom(chooseSeed());
      const table: string[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const slug = `round-${round}`;
        const dsn = parseDsn(await server.project(slug));
        const api = createApiClient(server.url, await server.token());
        const events = Array.from({ length: EVENTS }, (_, index) =>
          makeJavascriptError({ issue: index % 20, bytes: 3_000 }),
        );
        const victims: string[] = [];
        let isOver = false;
        const killing = (async () => {
          while (!isOver) {
            await sleep(500 + random() * 2_000);
            if (isOver) return;
            const dice = random();
            if (dice < 0.4) victims.push(await killDigest(server));
            else if (dice < 0.8) victims.push(await killDigest(other));
            else if (BROKERS === 3) {
              const broker = Math.floor(random() * BROKERS);
              await cluster.kill(broker);
              victims.push(`broker ${broker}`);
              await sleep(1_000 + random() * 4_000);
              await cluster.start(broker);
            }
          }
        })();
        const startedAt = performance.now();
        const deliveries = await deliverStubbornly(dsn, events, { onAnswer: () => {} });
        const sentMs = performance.now() - startedAt;
        await sleep(1_500);
        isOver = true;
        await killing;
        const answered = deliveries.filter((delivery) => delivery.answered);
        expect(answered).toHaveLength(EVENTS);
        await waitUntilReady(server.url);
        await expectExactlyOnce(
          api,
          slug,
          answered.map(({ eventId }) => eventId),
          120_000,
        );
        table.push(
          `| ${round} | ${answered.length} | ${answered.length} | ${(sentMs / 1_000).toFixed(1)} s | ${victims.join(', ') || '–'} |`,
        );
      }
      console.log(['| round | answered 200 | counted once | sent in | killed |', ...table].join('\n'));
    });
  },
);

const ownersOf = (metrics: string): string[] =>
  [...metrics.matchAll(/^errata_spool_partition_owned\{partition="\d+",owner="([^"]+)"\} 1$/gm)].map(
    ([, owner = '']) => owner,
  );

const duplicates = (outcomes: ReadonlyMap<string, number>): number =>
  [...outcomes].filter(([name]) => /duplicate/.test(name)).reduce((sum, [, count]) => sum + count, 0);

async function killDigest(server: ErrataServer): Promise<string> {
  const { digest } = await server.pids();
  try {
    process.kill(digest, 'SIGKILL');
  } catch {
    // It is being started again.
  }
  return `digest of ${new URL(server.url).port}`;
}
