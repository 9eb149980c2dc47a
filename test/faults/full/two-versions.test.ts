import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#lib/log.ts';
import { VERSION } from '#lib/version.ts';
import { findFreePort } from '#storage/embedded/free-port.ts';
import { startEmbeddedClickhouse } from '#storage/embedded/start-clickhouse.ts';
import { ALERT_SCOPES, addRule, openDestination, removeRules } from '../../harness/alert-destinations.ts';
import { type ApiIssue, createApiClient } from '../../harness/api-client.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { IS_FULL } from '../../harness/is-full.ts';
import { type KafkaCluster, kafkaMissing, startKafkaCluster } from '../../harness/kafka-cluster.ts';
import { buildNextVersion, NEXT_VERSION } from '../../harness/next-version.ts';
import { startPostgresServer, type TestPostgres } from '../../harness/postgres-servers.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { type ErrataServer, makeDataDir, runCli, startErrata } from '../../harness/start-errata.ts';
import { expectExactlyOnce } from '../../harness/stored-events.ts';
import { until } from '../../harness/until.ts';

const SLUG = 'rolling';
const SEND_EVERY_MS = 100;
/** Each step goes on for so long before the next one. */
const STEP_MS = 8_000;
const ISSUES = 5;
const COUNTED_MS_MAX = 120_000;

const missing = IS_FULL ? kafkaMissing() : 'only in the full run';

describe.skipIf(missing !== null)(
  missing === null ? 'two versions' : `two versions (skipped: ${missing})`,
  () => {
    let next: ReturnType<typeof buildNextVersion>;
    let kafka: KafkaCluster;
    let postgres: TestPostgres;
    let clickhouse: Awaited<ReturnType<typeof startEmbeddedClickhouse>>;
    let env: Record<string, string>;
    const folders = [makeDataDir(), makeDataDir()] as const;
    const analyticFolder = makeDataDir();
    const machines: ErrataServer[] = [];

    beforeAll(async () => {
      next = buildNextVersion();
      [kafka, postgres, clickhouse] = await Promise.all([
        startKafkaCluster(1),
        startPostgresServer(),
        startEmbeddedClickhouse({
          dataDir: analyticFolder,
          memoryBytesMax: 700_000_000,
          log: createLog('test', 'error'),
        }),
      ]);
      env = {
        DATABASE_URL: postgres.url,
        CLICKHOUSE_URL: clickhouse.url,
        ERRATA_SPOOL_URL: `kafka://${kafka.brokers.join(',')}/errata?partitions=4`,
        ERRATA_BLOBS_URL: `file://${folders[0]}-blobs`,
        ERRATA_SECRET: randomBytes(32).toString('hex'),
        ERRATA_SELF_REPORTING: 'off',
        ERRATA_ALLOW_INSIDE_ADDRESSES: '127.0.0.1',
        ERRATA_UPGRADE_BACKUP: 'off',
      };
      const ports = [await findFreePort(), await findFreePort()];
      for (const [index, dataDir] of folders.entries())
        machines.push(await startErrata({ env, dataDir, port: ports[index] ?? 0, admin: index === 0 }));
    }, 20 * 60_000);
    afterAll(async () => {
      for (const machine of machines) await machine[Symbol.asyncDispose]();
      await Promise.all([kafka?.remove(), postgres?.remove(), clickhouse?.stop()]);
      rmSync(path.dirname(analyticFolder), { recursive: true, force: true });
      next?.remove();
    }, 120_000);

    test('machines are replaced one after the other, and back, and every request is answered', {
      timeout: 15 * 60_000,
    }, async () => {
      const [first] = machines as [ErrataServer];
      const token = await first.token(ALERT_SCOPES);
      const apiOf = (index: number) => createApiClient((machines[index] as ErrataServer).url, token);
      const dsn = parseDsn(await first.project(SLUG));
      const hook = await openDestination(apiOf(0), 'webhook');
      await removeRules(apiOf(0), SLUG);
      await addRule(apiOf(0), SLUG, [hook.id]);

      const check = await runCli(
        ['upgrade', '--check', '--json'],
        { ...env, ERRATA_DATA_DIR: folders[0] },
        { root: next.root },
      );
      expect(check.code, check.stderr).toBe(0);
      expect(JSON.parse(check.stdout)).toMatchObject({ downgrade: { isPossible: true } });

      /** Those that a load balancer would send to. */
      const inService = new Set([0, 1]);
      const ids: string[] = [];
      const refused: string[] = [];
      let isOver = false;
      const sending = (async () => {
        const under: Promise<void>[] = [];
        for (let count = 0; !isOver; count++) {
          const targets = [...inService];
          const machine = machines[targets[count % targets.length] ?? 0] as ErrataServer;
          const event = makeJavascriptError({ issue: count % ISSUES, bytes: 3_000 });
          const sent = postEnvelope({ ...dsn, origin: new URL(machine.url).origin }, eventEnvelope(event));
          under.push(
            sent.then(
              ({ status }) => void (status === 200 ? ids.push(event.event_id) : refused.push(String(status))),
              (error: unknown) => void refused.push(String(error)),
            ),
          );
          await delay(SEND_EVERY_MS);
        }
        await Promise.all(under);
      })();
      /** Pages and the API of all that are in service answer. */
      const expectAnswers = async (step: string) => {
        for (const index of inService) {
          const { url } = machines[index] as ErrataServer;
          expect((await fetch(`${url}/login`)).status, `${step}: pages of machine ${index + 1}`).toBe(200);
          const issues = await apiOf(index).list<ApiIssue>(`/api/0/projects/main/${SLUG}/issues/?query=`);
          expect(issues.length, `${step}: issues at machine ${index + 1}`).toBeGreaterThan(0);
        }
      };
      const replace = async (index: number, root: string | undefined) => {
        const machine = machines[index] as ErrataServer;
        inService.delete(index);
        await machine.stop();
        await expectAnswers(`machine ${index + 1} is away`);
        machines[index] = await startErrata({
          ...(root !== undefined && { root }),
          env,
          dataDir: machine.dataDir,
          port: Number(new URL(machine.url).port),
          admin: false,
        });
        inService.add(index);
        await delay(STEP_MS);
        await expectAnswers(`machine ${index + 1} is replaced`);
      };

      const versions = async () => {
        const { rows } = await postgres.run('SELECT DISTINCT version FROM role_processes ORDER BY version');
        return rows.map(({ version }) => version);
      };
      await until(
        'the first events are counted',
        async () =>
          (await apiOf(0).list<ApiIssue>(`/api/0/projects/main/${SLUG}/issues/?query=`)).length === ISSUES,
      );
      await replace(0, next.root);
      expect(await versions()).toEqual([VERSION, NEXT_VERSION]);
      await replace(1, next.root);
      // The way back: both versions run on the upgraded data, then the older one alone.
      await replace(0, undefined);
      await replace(1, undefined);
      isOver = true;
      await sending;

      expect(refused).toEqual([]);
      await expectExactlyOnce(apiOf(1), SLUG, ids, COUNTED_MS_MAX);
      const told = hook.service.received.flatMap(
        ({ body }) => (body as { data: { errata: { issues: { id: string }[] } } }).data.errata.issues,
      );
      expect(new Set(told.map(({ id }) => id)).size).toBe(ISSUES);
      expect(told).toHaveLength(ISSUES);
      await hook.service.close();
      console.log(`${ids.length} events, none refused`);
    });
  },
);
