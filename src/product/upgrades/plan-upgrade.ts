import type { StoreName } from '#lib/migration-facts.ts';
import type { PendingMigration, SchemaState } from '#storage/ports/schema-state.ts';

/**
 * Bytes that a store goes through in a second while it migrates, as measured on two busy cores: see
 * docs/decisions/0071-upgrades.md.
 */
export const BYTES_A_SECOND: Readonly<Record<StoreName, number>> = { PostgreSQL: 10e6, ClickHouse: 7e6 };
/** As a backup is made; what an earlier one in the same place has is not copied again. */
export const BACKUP_BYTES_A_SECOND = 10e6;
/** What one migration takes at least. */
const MIGRATION_MS_MIN = 50;
/** What is estimated may be more. */
const MARGIN = 1.2;
/** Of a disk that is nearly full nothing is taken. */
const FREE_BYTES_MIN = 200e6;

export type PlannedMigration = {
  store: StoreName;
  name: string;
  summary: string;
  /** It takes the same moment whatever is stored. */
  isInstant: boolean;
  /** Of the tables that it goes through. */
  rows: number;
  bytes: number;
  /** Estimates. */
  ms: number;
  addedBytes: number;
  /** Whether the version before still runs afterwards. */
  isCompatible: boolean;
};

export type UpgradePlan = {
  migrations: readonly PlannedMigration[];
  /** Of all migrations, which stores run side by side. */
  ms: number;
  addedBytes: number;
  /** Migrations that keep the version before from starting afterwards. */
  oneWay: readonly string[];
};

/** What a start of this version will do, how long and how much disk it takes. */
export function planUpgrade(schemas: readonly SchemaState[]): UpgradePlan {
  const migrations = schemas.flatMap(({ store, pending }) =>
    pending.map((migration) => planMigration(store, migration)),
  );
  const perStore = schemas.map(({ store }) =>
    sum(migrations.filter((migration) => migration.store === store).map(({ ms }) => ms)),
  );
  return {
    migrations,
    ms: Math.max(0, ...perStore),
    addedBytes: sum(migrations.map(({ addedBytes }) => addedBytes)),
    oneWay: migrations.filter(({ isCompatible }) => !isCompatible).map(({ name }) => name),
  };
}

function planMigration(store: StoreName, { name, facts, rows, bytes }: PendingMigration): PlannedMigration {
  const { summary, cost, isCompatible } = facts;
  const readMs = cost ? ((bytes * cost.passes) / BYTES_A_SECOND[store]) * 1_000 : 0;
  return {
    store,
    name,
    summary,
    isInstant: cost === null,
    rows,
    bytes,
    ms: Math.round(Math.max(MIGRATION_MS_MIN, readMs)),
    addedBytes: cost ? Math.ceil(bytes * cost.growth) : 0,
    isCompatible,
  };
}

/** Bytes that have to be free for a backup of `bytes`, of which an earlier one in the same place has some already. */
export const backupRoom = (bytes: number, formerBytes: number): number =>
  Math.ceil(Math.max(bytes - formerBytes, bytes * 0.1) * MARGIN);

/** What a volume lacks; 0 when there is room. */
export const missingRoom = (neededBytes: number, freeBytes: number): number =>
  Math.max(0, neededBytes + FREE_BYTES_MIN - freeBytes);

/** With a margin, for the volume of the stores. */
export const migrationRoom = ({ addedBytes }: Pick<UpgradePlan, 'addedBytes'>): number =>
  Math.ceil(addedBytes * MARGIN);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
