import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { VERSION } from '#lib/version.ts';
import { listBackups } from '#product/backups/list-backups.ts';
import { restoreBackup } from '#product/backups/restore-backup.ts';
import { verifyBackup } from '#product/backups/verify-backup.ts';
import type { Stores } from '#product/stores.ts';
import { createUpgradeStore } from '#product/upgrades/upgrade-store.ts';
import { openAnalyticDestination } from '#storage/clickhouse/backup/analytic-destination.ts';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import { MIGRATIONS_FOLDER as CLICKHOUSE_FOLDER, migrateClickhouse } from '#storage/clickhouse/migrate.ts';
import { openBackupFolder } from '#storage/disk/backups/backup-folder.ts';
import { openFileDestination } from '#storage/disk/backups/stored-files.ts';
import { openRelationalDestination } from '#storage/postgres/backup/relational-destination.ts';
import { openPostgres, type PostgresDatabase } from '#storage/postgres/database.ts';
import { migratePostgres, MIGRATIONS_FOLDER as POSTGRES_FOLDER } from '#storage/postgres/migrate.ts';
import { type Config, parseConfig } from '../../src/config.ts';
import type { UpgradeProgress } from '../../src/main/messages.ts';
import { upgradeStores } from '../../src/main/upgrade/upgrade-stores.ts';
import {
  createEmptyPostgres,
  createMigratedPostgres,
  type Engine,
  openMissingClickhouse,
  testLog,
} from '../contract/engines.ts';
import { storesOver } from '../product/stores-over.ts';
import { fileOf, findStored, LANDED_BUILDS, type LandedBuild } from './list-landed-builds.ts';
import { openPackedBackup } from './packed-backup.ts';
import { addPeopleRows } from './people-rows.ts';
import { readAnalyticRows, readRelationalRows, type StoredRows } from './stored-rows.ts';

const POSTGRES: Engine = { name: 'embedded PostgreSQL', url: inject('embeddedPostgresUrl') };
const CLICKHOUSE: Engine = { name: 'embedded ClickHouse', url: inject('embeddedClickhouseUrl') };

/** What migrations change in rows that are there: column by table; everything else stays as it was. */
const CHANGED: Readonly<Record<string, readonly string[]>> = {
  // 0003: projects that had no filters yet keep none.
  projects: ['ingest_settings'],
  // 0009: addresses that no mail could confirm.
  users: ['email_verified'],
  // Taken apart by the first start that knows how.
  releases: ['is_parsed', 'package', 'prerelease', 'build', 'version_order'],
};
/** What a start writes itself. */
const WRITTEN: ReadonlySet<string> = new Set(['instance_settings', 'backup_runs']);

/**
 * The data of a build is upgraded by the way of a start, and nothing of it is lost. It is what that build left, or what an older
 * one left, migrated to the schema of this one as its own start did.
 */
export function describeUpgradeOf(build: LandedBuild): void {
  describe(`an upgrade from ${build.name}`, () => {
    let folder: string;
    let config: Config;
    let emptied: Awaited<ReturnType<typeof createEmptyPostgres>>;
    let relational: PostgresDatabase;
    let analytic: ReturnType<typeof openMissingClickhouse>;
    let stores: Stores;
    let before: { relational: StoredRows; analytic: StoredRows };
    const told: UpgradeProgress[] = [];

    beforeAll(async () => {
      folder = mkdtempSync(path.join(tmpdir(), 'errata-landed-'));
      config = parseConfig({
        ERRATA_DATA_DIR: path.join(folder, 'data'),
        ERRATA_UPGRADE_BACKUP: path.join(folder, 'backups'),
      });
      emptied = await createEmptyPostgres(POSTGRES);
      relational = openPostgres(emptied.url, { poolMax: 8 });
      analytic = openMissingClickhouse(CLICKHOUSE);
      await restore(fileOf(findStored(build)), { relational, analytic, dataDir: config.dataDir });
      await migrateTo(build, { relational, analytic, folder });
      await addPeopleRows(relational.pool);
      before = {
        relational: await readRelationalRows(relational.pool),
        analytic: await readAnalyticRows(analytic),
      };
      await start();
      stores = storesOver(relational, analytic, path.join(folder, 'stores'));
    });
    afterAll(async () => {
      await relational?.close();
      await emptied?.drop();
      await analytic?.drop();
      if (folder) rmSync(folder, { recursive: true });
    });

    const start = () =>
      upgradeStores(
        config,
        {
          databaseUrl: emptied.url,
          databaseDirectUrl: null,
          clickhouseUrl: analytic.url,
          secret: 's'.repeat(32),
        },
        { log: testLog, onProgress: (progress) => told.push(progress) },
      );

    test('is told: a backup first, then each migration', async () => {
      expect(told[0]?.doing).toMatch(/^Backing up to /);
      expect(told[0]?.from).toBeNull();
      const numbers = [...new Set(told.map(({ number }) => number))];
      expect(numbers).toEqual(Array.from({ length: (told[0]?.count ?? 0) + 1 }, (_, number) => number));
      expect(await createUpgradeStore(relational.db).findInstalled()).toMatchObject({ version: VERSION });
    });

    test('is backed up whole, and the next start does nothing', async () => {
      const target = openBackupFolder(path.join(folder, 'backups'));
      const [backup, ...others] = await listBackups(target);
      expect(others).toEqual([]);
      expect((await verifyBackup(target, backup!.id, null, () => {})).problems).toEqual([]);
      const [run] = await stores.backups.listRuns(5);
      expect(run).toMatchObject({ origin: 'upgrade', state: 'done', backupId: backup!.id });
      expect(await createUpgradeStore(relational.db).findLastUpgrade()).toMatchObject({
        to: VERSION,
        finishedAt: expect.any(Number),
        backup: { id: backup!.id },
      });
      told.length = 0;
      await start();
      expect(told).toEqual([]);
      expect(await listBackups(target)).toHaveLength(1);
    });

    test('leaves every row of PostgreSQL as it was', async () => {
      const after = await readRelationalRows(relational.pool, before.relational);
      for (const [table, { rows }] of before.relational) {
        if (WRITTEN.has(table)) continue;
        const without = (row: string): unknown => {
          const value = JSON.parse(row) as Record<string, unknown>;
          for (const column of CHANGED[table] ?? []) delete value[column];
          return value;
        };
        expect([table, after.get(table)?.rows.map(without)]).toEqual([table, rows.map(without)]);
      }
      expect(before.relational.get('issues')?.rows.length).toBeGreaterThan(3);
      const { rows: releases } = await relational.pool.query(
        'SELECT version, package, is_parsed FROM releases ORDER BY version LIMIT 1',
      );
      expect(releases).toEqual([{ version: 'shop-web@4.11.2', package: 'shop-web', is_parsed: true }]);
    });

    test('leaves every row of ClickHouse as it was', async () => {
      const after = await readAnalyticRows(analytic, before.analytic);
      for (const [table, { rows }] of before.analytic) {
        expect([table, after.get(table)?.rows]).toEqual([table, rows]);
      }
      expect(before.analytic.get('events')?.rows.length).toBeGreaterThan(10);
    });

    test('ends with the schema of a new installation', async () => {
      const fresh = await createMigratedPostgres(POSTGRES);
      try {
        expect(await describeRelational(relational)).toEqual(await describeRelational(fresh));
      } finally {
        await fresh.drop();
      }
    });

    test('can be asked what pages ask', async () => {
      const [organization] = await stores.projects.listOrganizations();
      const organizationId = organization!.id;
      const project = await stores.projects.findProject(organizationId, 'default');
      const projectIds = [project!.id];
      const found = await stores.issues.search(
        organizationId,
        projectIds,
        { kind: 'words', match: { kind: 'pattern', parts: ['', 'Cannot read', ''] }, isNegated: false },
        { sort: 'date', limit: 50 },
      );
      expect(found.issues.length).toBeGreaterThan(3);
      const scope = { organizationId, projectIds };
      for (const issue of found.issues) {
        const hashes = (
          await relational.pool.query<{ hash: string }>(
            'SELECT hash FROM grouping_hashes WHERE issue_id = $1',
            [issue.id],
          )
        ).rows.map(({ hash }) => hash);
        const page = await stores.events.listIssueEvents(
          scope,
          { issueId: issue.id, projectId: project!.id, hashes },
          { limit: 50, before: null, range: null },
        );
        expect([issue.shortId, page.events.length]).toEqual([issue.shortId, issue.timesSeen]);
        const [event] = page.events;
        expect(await stores.events.findEvent(scope, event!.eventId)).toMatchObject({
          payload: { exception: { values: [{ type: 'TypeError' }] } },
        });
      }
      const days = await stores.storedDays.list();
      expect(days.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['events']));
      expect((await stores.releases.findNewest(organizationId, [{ projectId: project!.id }])).size).toBe(1);
    });
  });
}

/** Does nothing where the build left its data itself. */
async function migrateTo(
  build: LandedBuild,
  {
    relational,
    analytic,
    folder,
  }: { relational: PostgresDatabase; analytic: ClickhouseDatabase; folder: string },
): Promise<void> {
  const builds = LANDED_BUILDS.slice(0, LANDED_BUILDS.indexOf(build) + 1);
  const copy = (store: 'postgres' | 'clickhouse', source: string): string => {
    const own = path.join(folder, store);
    const numbers = new Set(builds.flatMap((one) => one[store]));
    mkdirSync(own);
    for (const name of readdirSync(source)) {
      if (numbers.has(Number(name.slice(0, 4)))) cpSync(path.join(source, name), path.join(own, name));
    }
    return own;
  };
  await migratePostgres(relational, testLog, { folder: copy('postgres', POSTGRES_FOLDER) });
  await migrateClickhouse(analytic, testLog, { folder: copy('clickhouse', CLICKHOUSE_FOLDER) });
}

async function restore(
  file: string,
  places: { relational: { url: string }; analytic: { url: string }; dataDir: string },
): Promise<void> {
  const target = openPackedBackup(file);
  const [backup] = await listBackups(target);
  const relational = await openRelationalDestination(places.relational, testLog);
  const analytic = openAnalyticDestination(places.analytic.url, testLog);
  const blobs = openFileDestination(path.join(places.dataDir, 'blobs'));
  const artifacts = openFileDestination(path.join(places.dataDir, 'artifacts'));
  const nowhere = {
    async write(_id: string, _after: number, records: AsyncIterable<Uint8Array>) {
      let count = 0;
      for await (const _ of records) count += 1;
      return count;
    },
    remember: async () => {},
    close: async () => {},
  };
  try {
    const { differences } = await restoreBackup(
      {
        relational,
        analytic,
        spool: nowhere,
        files: { blobs, artifacts },
        writeSecrets: async () => {},
        noteMade: async () => {},
      },
      target,
      backup!.id,
      null,
    );
    expect(differences).toEqual([]);
  } finally {
    await Promise.all([relational.close(), analytic.close()]);
  }
}

async function describeRelational({ pool }: Pick<PostgresDatabase, 'pool'>): Promise<readonly unknown[]> {
  const { rows } = await pool.query<{ text: string }>(
    `SELECT table_name || '.' || column_name || ' ' || udt_name || ' ' || is_nullable || ' ' || coalesce(column_default, '') AS text
     FROM information_schema.columns WHERE table_schema = 'public'
     UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
     ORDER BY 1`,
  );
  return rows.map(({ text }) => text);
}
