import type { Config } from '#config.ts';
import { conflict, messageOf } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import type { MigrationStep } from '#lib/migration-facts.ts';
import { NewerDatabaseError } from '#lib/migration-files.ts';
import { VERSION } from '#lib/version.ts';
import { createBackupStore } from '#product/backups/backup-store.ts';
import type { CreatedBackup } from '#product/backups/create-backup.ts';
import {
  createUpgradeStore,
  type UpgradeBackup,
  type UpgradeStore,
} from '#product/upgrades/upgrade-store.ts';
import type { ClickhouseDatabase } from '#storage/clickhouse/client.ts';
import { migrateClickhouse } from '#storage/clickhouse/migrate.ts';
import { openClickhouse } from '#storage/clickhouse/open-clickhouse.ts';
import { readClickhouseSchema } from '#storage/clickhouse/schema-state.ts';
import type { SchemaState } from '#storage/ports/schema-state.ts';
import { openPostgres, type PostgresDatabase } from '#storage/postgres/database.ts';
import { migratePostgres } from '#storage/postgres/migrate.ts';
import { readPostgresSchema } from '#storage/postgres/schema-state.ts';
import { holdUpgrade } from '#storage/postgres/upgrade-lock.ts';
import type { UpgradeProgress } from '../messages.ts';
import { type StoreAddresses, sessionUrl } from '../open-stores.ts';
import { CLUSTER, makeUpgradeBackup, planUpgradeBackup } from './upgrade-backup.ts';

type Tell = (doing: string, more?: { detail?: string | null; number?: number }) => void;
type Telling = { log: Log; onProgress: (progress: UpgradeProgress) => void };
type Stores = { postgres: PostgresDatabase; clickhouse: ClickhouseDatabase; upgrades: UpgradeStore };

/**
 * Brings both schemas up to this version, data that is there being backed up first, and notes the version. Throws with what
 * to do when the data is of a newer version, or when the backup cannot be made.
 */
export async function upgradeStores(config: Config, init: StoreAddresses, telling: Telling): Promise<void> {
  const postgres = openPostgres(sessionUrl(init), { poolMax: 2 });
  const clickhouse = openClickhouse(init.clickhouseUrl);
  const stores = { postgres, clickhouse, upgrades: createUpgradeStore(postgres.db) };
  try {
    const schemas = await readSchemas(stores);
    if (isFresh(schemas)) await migrate(stores, telling.log, () => {});
    else if (schemas.some(({ pending }) => pending.length > 0)) {
      await holdUpgrade(postgres, () => upgrade(config, init, stores, telling));
    } else {
      tellNewer(schemas, telling.log);
      // Without any migration there may be releases left to take apart.
      await migrate(stores, telling.log, () => {});
    }
    await stores.upgrades.noteInstalled({ version: VERSION, startedAt: Date.now() });
  } finally {
    await Promise.all([postgres.close(), clickhouse.close()]);
  }
}

const isFresh = (schemas: readonly SchemaState[]): boolean =>
  schemas.some(({ store, applied }) => store === 'PostgreSQL' && applied.length === 0);

/** Changes nothing. Throws ErrataError 'conflict' with the ways out when a newer version was here. */
export async function readSchemas({
  postgres,
  clickhouse,
  upgrades,
}: Stores): Promise<readonly SchemaState[]> {
  try {
    return await Promise.all([readPostgresSchema(postgres), readClickhouseSchema(clickhouse)]);
  } catch (error) {
    if (!(error instanceof NewerDatabaseError)) throw error;
    const last = await upgrades.findLastUpgrade().catch(() => null);
    throw conflict(`${error.message}. ${describeWayBack(last?.backup ?? null)}`);
  }
}

/** Into an empty directory: what is there stays as it is. */
function describeWayBack(backup: UpgradeBackup | null): string {
  const restore = (name: string, folder: string) =>
    `ERRATA_DATA_DIR=<empty directory> npx errata backup restore${name} --folder ${folder}`;
  return backup
    ? `To go back, restore the backup made before the upgrade with this version: ${restore(` ${backup.id}`, backup.folder)}`
    : `To go back, restore a backup from before the upgrade with this version: ${restore('', '<folder>')}`;
}

/** Under the lock: another machine may have done it meanwhile. */
async function upgrade(
  config: Config,
  init: StoreAddresses,
  stores: Stores,
  telling: Telling,
): Promise<void> {
  const { upgrades } = stores;
  const schemas = await readSchemas(stores);
  const count = schemas.reduce((sum, { pending }) => sum + pending.length, 0);
  if (count === 0) return;
  const [installed, unfinished] = [await upgrades.findInstalled(), await upgrades.findUnfinished(VERSION)];
  const startedAt = Date.now();
  const from = unfinished ? unfinished.from : (installed?.version ?? null);
  const tell: Tell = (doing, { detail = null, number = 0 } = {}) =>
    telling.onProgress({ from, to: VERSION, doing, detail, number, count, startedAt });
  let created: CreatedInFolder | null = null;
  let backup = unfinished?.backup ?? null;
  if (unfinished) tell('Continuing an upgrade that was interrupted');
  else {
    created = await backUp(config, init, stores, schemas, { ...telling, tell });
    if (created) backup = { id: created.head.id, folder: created.folder };
  }
  const record = { from, to: VERSION, startedAt: unfinished?.startedAt ?? startedAt, backup };
  await upgrades.noteUpgrade({ ...record, finishedAt: null });
  let begun = 0;
  await explainFailure(backup, () =>
    migrate(stores, telling.log, ({ store, name, statements }) => {
      // Of one that goes on, only its statements have changed.
      if (statements === null) begun += 1;
      const detail = statements && `statement ${statements.done} of ${statements.count}`;
      tell(`Migrating ${store}: ${name}`, { detail, number: begun });
    }),
  );
  if (created) await noteBackup(stores, created, startedAt);
  await upgrades.noteUpgrade({ ...record, finishedAt: Date.now() });
}

type CreatedInFolder = CreatedBackup & { folder: string };

async function backUp(
  config: Config,
  init: StoreAddresses,
  { postgres }: Stores,
  schemas: readonly SchemaState[],
  { log, tell }: { log: Log; tell: Tell },
): Promise<CreatedInFolder | null> {
  const planned = await planUpgradeBackup(
    config,
    { db: postgres.db, clickhouseUrl: init.clickhouseUrl },
    schemas,
  );
  if (planned.kind === 'cluster')
    throw conflict(`${CLUSTER.detail}. Nothing has been changed. ${CLUSTER.next}`);
  if (planned.kind !== 'planned') {
    const why = planned.kind === 'off' ? 'ERRATA_UPGRADE_BACKUP is off' : 'there is nothing to back up yet';
    tell(`No backup is made: ${why}`);
    return null;
  }
  const { folder } = planned;
  tell(`Backing up to ${folder}`);
  const begunAt = performance.now();
  const created = await makeUpgradeBackup(config, init, planned, {
    log,
    onStep: (detail) => tell(`Backing up to ${folder}`, { detail }),
  });
  const tookMs = Math.round(performance.now() - begunAt);
  const { id, events, newBytes } = created.head;
  log.info({ backup: id, folder, events, newBytes, tookMs }, 'A backup was made before the upgrade');
  tell(`Backup ${id} is made`);
  return { ...created, folder };
}

/** Side by side: neither store waits for the other. */
async function migrate(
  { postgres, clickhouse }: Pick<Stores, 'postgres' | 'clickhouse'>,
  log: Log,
  onStep: (step: MigrationStep) => void,
): Promise<void> {
  const ended = await Promise.allSettled([
    migratePostgres(postgres, log, { onStep }),
    migrateClickhouse(clickhouse, log, { onStep }),
  ]);
  const failed = ended.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

async function explainFailure(backup: UpgradeBackup | null, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw conflict(
      `The upgrade was interrupted: ${messageOf(error)}. What is done stays done: the next start continues. ${describeWayBack(backup).replace('with this version', 'with the version before')}`,
    );
  }
}

/** Only now: an older schema has no list of backups. */
async function noteBackup(
  { postgres }: Stores,
  { head, pausedMs, folder }: CreatedInFolder,
  startedAt: number,
): Promise<void> {
  const backups = createBackupStore(postgres.db);
  const id = await backups.begin({ origin: 'upgrade', folder, requestedBy: null }, startedAt);
  await backups.finish(id, head, pausedMs, head.finishedMs);
}

function tellNewer(schemas: readonly SchemaState[], log: Log): void {
  for (const { store, newer } of schemas) {
    if (newer.length === 0) continue;
    const migrations = newer.map(({ name }) => name);
    const by = newer.at(-1)?.appliedBy;
    log.warn({ store, migrations, by }, 'The database is of a newer version, with which this one still runs');
  }
}
