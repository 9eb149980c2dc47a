import { type Kysely, sql } from 'kysely';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

/** A backup that was made before an upgrade. */
export type UpgradeBackup = { id: string; folder: string };

export type UpgradeRecord = {
  /** null: a version that did not note itself, 0.1.0 or a build before it. */
  from: string | null;
  to: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** null: it is under way, or was interrupted. */
  finishedAt: number | null;
  /** null: there was none to make. */
  backup: UpgradeBackup | null;
};

export type InstalledVersion = { version: string; startedAt: number };

const VERSION_KEY = 'installed_version';
const UPGRADE_KEY = 'last_upgrade';

/**
 * Which version runs on the data, and the last upgrade of it. Source: PostgreSQL, `instance_settings`, which every schema
 * has: both are read and written before migrations run.
 */
export function createUpgradeStore(db: Kysely<Database>) {
  async function read<Value>(key: string): Promise<Value | null> {
    const row = await query<{ value: Value }>`SELECT value FROM instance_settings WHERE key = ${key}`.first(
      db,
    );
    return row?.value ?? null;
  }
  async function write(key: string, value: object): Promise<void> {
    await sql`INSERT INTO instance_settings (key, value) VALUES (${key}, ${JSON.stringify(value)}::jsonb)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now()`.execute(db);
  }
  const findInstalled = (): Promise<InstalledVersion | null> => read(VERSION_KEY);
  const findLastUpgrade = (): Promise<UpgradeRecord | null> => read(UPGRADE_KEY);
  return {
    /** null: no version has noted itself yet. */
    findInstalled,
    noteInstalled: (installed: InstalledVersion): Promise<void> => write(VERSION_KEY, installed),
    findLastUpgrade,

    /**
     * The upgrade to a version that was interrupted, and is to be continued; null when none was, or when a version has run
     * since, whose data the backup of that upgrade lacks.
     */
    async findUnfinished(to: string): Promise<UpgradeRecord | null> {
      const [installed, last] = [await findInstalled(), await findLastUpgrade()];
      if (last?.finishedAt !== null || last.to !== to) return null;
      return installed !== null && installed.startedAt > last.startedAt ? null : last;
    },
    noteUpgrade: (record: UpgradeRecord): Promise<void> => write(UPGRADE_KEY, record),

    /** Whether there is anything to lose: an organization, which the first set-up makes. */
    async hasData(): Promise<boolean> {
      const row = await query<{ has: boolean }>`SELECT EXISTS (SELECT FROM organizations) AS has`.first(db);
      return row?.has ?? false;
    },
  };
}

export type UpgradeStore = ReturnType<typeof createUpgradeStore>;
