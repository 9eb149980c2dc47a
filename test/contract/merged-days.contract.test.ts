import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRowExploreStore } from '#storage/clickhouse/explore/row-explore-store.ts';
import { migrateClickhouse } from '#storage/clickhouse/migrate.ts';
import { createTelemetryStore } from '#storage/clickhouse/telemetry-store.ts';
import type { Aggregate, RowDataset, RowField } from '#storage/ports/explore-rows.ts';
import { IS_FULL } from '../harness/is-full.ts';
import { until } from '../harness/until.ts';
import {
  createMigratedClickhouse,
  describeOnClickhouseServer,
  openMissingClickhouse,
  testLog,
} from './engines.ts';
import { HOUR_MS, MINUTE_MS, NOON_MS } from './sample-events.ts';
import { makeRow } from './sample-telemetry.ts';

const OWN = { organizationId: 7, projectId: 1 };
const MERGED_WITHIN_MS = 50_000;
const TABLES = ['spans', 'logs', 'metrics'] as const;
const BY: Readonly<Record<RowDataset, RowField>> = {
  spans: { kind: 'row', name: 'op' },
  logs: { kind: 'row', name: 'level' },
  metrics: { kind: 'row', name: 'name' },
};

describeOnClickhouseServer('Merged days', (engine) => {
  let database: ReturnType<typeof openMissingClickhouse>;
  beforeAll(async () => {
    // Not one that other suites use afterwards: its settings are changed.
    database = openMissingClickhouse(engine);
    await migrateClickhouse(database, testLog);
  });
  afterAll(async () => {
    await database?.drop();
  });

  test('attributes are packed so that they are quick to read', async () => {
    for (const table of TABLES) {
      const [created] = await database.query<{ statement: string }>(`SHOW CREATE TABLE ${table}`, {});
      const codecs = created?.statement.matchAll(/`attributes_\w+` Map\(.+?\) CODEC\((.+?\)?)\)/g) ?? [];
      expect([...codecs].map(([, codec]) => codec)).toEqual(Array(3).fill('LZ4HC(3)'));
    }
  });

  const spans = Array.from({ length: 20 }, (_, index) =>
    makeRow('spans', {
      ...OWN,
      startedAtUs: (NOON_MS + index * MINUTE_MS) * 1_000,
      durationUs: (index + 1) * 1_000,
      op: index % 3 === 0 ? 'db' : 'http.server',
      attributes: { size: index },
    }),
  );
  const logs = spans.map((_, index) =>
    makeRow('logs', { ...OWN, occurredAtUs: (NOON_MS + index) * 1_000, attributes: { size: index } }),
  );
  const metrics = spans.map((_, index) =>
    makeRow('metrics', { ...OWN, occurredAtUs: (NOON_MS + index) * 1_000, attributes: { size: index } }),
  );

  const insert = async (from: number, to: number, token: string): Promise<void> => {
    const rows = {
      spans: spans.slice(from, to),
      logs: logs.slice(from, to),
      metrics: metrics.slice(from, to),
    };
    await createTelemetryStore(database).insert(rows, token);
  };

  const countParts = async (): Promise<Readonly<Record<string, number>>> => {
    const rows = await database.query<{ table: string; parts: number }>(
      `SELECT table, count() AS parts FROM system.parts
       WHERE database = currentDatabase() AND active AND parts.rows > 0 AND table IN ('spans', 'logs', 'metrics')
       GROUP BY table`,
      {},
    );
    return Object.fromEntries(rows.map(({ table, parts }) => [table, parts]));
  };

  const answer = async (dataset: RowDataset) => {
    const size: RowField = { kind: 'rowAttribute', name: 'size' };
    const aggregates: Aggregate[] = [
      { kind: 'count' },
      { kind: 'sum', field: size },
      { kind: 'quantile', level: 0.5, field: size },
      { kind: 'quantile', level: 0.95, field: size },
    ];
    return await createRowExploreStore(database).aggregate(
      { organizationId: OWN.organizationId, projectIds: [OWN.projectId] },
      {
        dataset,
        range: { fromMs: NOON_MS - HOUR_MS, toMs: NOON_MS + HOUR_MS },
        expression: { kind: 'and', parts: [] },
      },
      {
        groupBy: [BY[dataset]],
        aggregates,
        order: { by: { key: 0 }, isDescending: false },
        limit: 10,
        offset: 0,
      },
    );
  };
  /** The full run waits until the server does it by itself, which takes a minute on a busy machine. */
  const mergeDays = async (): Promise<void> => {
    for (const table of TABLES)
      await database.command(
        IS_FULL
          ? `ALTER TABLE ${table} MODIFY SETTING min_age_to_force_merge_seconds = 1`
          : `OPTIMIZE TABLE ${table} FINAL`,
      );
    await until(
      'each day to be one part',
      async () => {
        const parts = await countParts();
        return TABLES.every((table) => parts[table] === 1);
      },
      { timeoutMs: MERGED_WITHIN_MS },
    );
  };
  const answers = async () => await Promise.all(TABLES.map(answer));

  test('are one part by themselves, and answer as their rows did, also when a batch comes again', async () => {
    for (const table of TABLES)
      await database.command(
        `ALTER TABLE ${table} MODIFY SETTING min_age_to_force_merge_seconds = 100000000`,
      );
    await insert(0, 12, 'first');
    await insert(8, 20, 'second');
    const before = await answers();
    expect(before.map(({ groups }) => groups.reduce((sum, { values }) => sum + values[0]!, 0))).toEqual([
      20, 20, 20,
    ]);

    await mergeDays();
    expect(await answers()).toEqual(before);

    for (const table of TABLES)
      await database.command(
        `ALTER TABLE ${table} MODIFY SETTING min_age_to_force_merge_seconds = 100000000`,
      );
    await insert(5, 15, 'again');
    expect(await answers()).toEqual(before);
  });

  test('are merged two hours after the last row by the migrations', async () => {
    const fresh = createMigratedClickhouse(engine);
    for (const table of TABLES) {
      const [row] = await fresh.query<{ statement: string }>(`SHOW CREATE TABLE ${table}`, {});
      expect(row?.statement).toContain('min_age_to_force_merge_seconds = 7200');
      expect(row?.statement).toContain('min_age_to_force_merge_on_partition_only = 1');
    }
    await fresh.drop();
  });
});
