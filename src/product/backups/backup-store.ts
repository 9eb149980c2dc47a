import { type Kysely, sql } from 'kysely';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import type { BackupHead } from './backup-format.ts';
import { totalBytes } from './backup-size.ts';
import type { BackupProgress } from './create-backup.ts';

export type BackupSchedule = {
  isOn: boolean;
  /** Absolute path; null: none was chosen. */
  folder: string | null;
  /** In UTC, after midnight. */
  minuteOfDay: number;
  /** How many of the newest stay. */
  keep: number;
};

/** `savedAt`: milliseconds since the epoch; null: it never was. */
export type SavedSchedule = BackupSchedule & { savedAt: number | null };

export type BackupOrigin = 'schedule' | 'request' | 'command' | 'upgrade';

export type BackupRun = {
  id: number;
  origin: BackupOrigin;
  state: 'waiting' | 'running' | 'done' | 'failed';
  folder: string;
  /** Times are in milliseconds since the epoch. */
  createdAt: number;
  startedAt: number | null;
  /** When it was last heard of. */
  beatAt: number | null;
  finishedAt: number | null;
  step: string | null;
  done: number;
  total: number | null;
  bytes: number;
  newBytes: number | null;
  backupId: string | null;
  momentAt: number | null;
  events: number | null;
  pausedMs: number | null;
  isEncrypted: boolean | null;
  /** Why it failed. */
  error: string | null;
};

const SETTING = 'backups';
const SCHEDULE_DEFAULT: BackupSchedule = { isOn: false, folder: null, minuteOfDay: 3 * 60, keep: 14 };
/** Runs that are remembered; older ones are forgotten with the next. */
const RUNS_MAX = 500;
const ERROR_CHARACTERS_MAX = 1_000;
const COLUMNS = sql`id, origin, state, folder, created_at, started_at, beat_at, finished_at, step, done, total, bytes,
  new_bytes, backup_id, moment_at, events, paused_ms, is_encrypted, error`;

/** When backups are made, and what became of them. Source: PostgreSQL. */
export function createBackupStore(db: Kysely<Database>) {
  return {
    async readSchedule(): Promise<SavedSchedule> {
      const row = await query<{ value: Partial<BackupSchedule>; savedAt: number }>`
        SELECT value, updated_at AS saved_at FROM instance_settings WHERE key = ${SETTING}`.first(db);
      return { ...SCHEDULE_DEFAULT, ...row?.value, savedAt: row?.savedAt ?? null };
    },

    async saveSchedule(schedule: BackupSchedule): Promise<void> {
      await sql`INSERT INTO instance_settings (key, value) VALUES (${SETTING}, ${JSON.stringify(schedule)}::jsonb)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now()`.execute(db);
    },

    /** Newest first. */
    listRuns: (limit: number): Promise<readonly BackupRun[]> =>
      query<BackupRun>`SELECT ${COLUMNS} FROM backup_runs
        ORDER BY created_at DESC, id DESC LIMIT ${Math.min(limit, RUNS_MAX)}`.execute(db),

    findLastGood: (): Promise<BackupRun | null> =>
      query<BackupRun>`SELECT ${COLUMNS} FROM backup_runs WHERE state = 'done'
        ORDER BY moment_at DESC LIMIT 1`.first(db),

    /** When the schedule last had its turn; null: never. */
    async findLastScheduled(): Promise<number | null> {
      const row = await query<{ createdAt: number }>`
        SELECT created_at FROM backup_runs WHERE origin = 'schedule' ORDER BY created_at DESC LIMIT 1`.first(
        db,
      );
      return row?.createdAt ?? null;
    },

    /** false when one waits already. */
    async request(
      run: { origin: BackupOrigin; folder: string; requestedBy: string | null },
      nowMs: number,
    ): Promise<boolean> {
      const count = await affectedRows`
        INSERT INTO backup_runs (origin, state, folder, requested_by, created_at)
        VALUES (${run.origin}, 'waiting', ${run.folder}, ${run.requestedBy}, ${new Date(nowMs)})
        ON CONFLICT DO NOTHING`.execute(db);
      return count > 0;
    },

    /** The one that waits, which is begun; null when none does. */
    claim: (nowMs: number): Promise<BackupRun | null> =>
      query<BackupRun>`
        UPDATE backup_runs SET state = 'running', started_at = ${new Date(nowMs)}, beat_at = ${new Date(nowMs)}
        WHERE id = (SELECT id FROM backup_runs WHERE state = 'waiting' FOR UPDATE SKIP LOCKED LIMIT 1)
        RETURNING ${COLUMNS}`.first(db),

    /** One that begins at once. */
    async begin(
      run: { origin: BackupOrigin; folder: string; requestedBy: string | null },
      nowMs: number,
    ): Promise<number> {
      const at = new Date(nowMs);
      const row = await query<{ id: number }>`
        INSERT INTO backup_runs (origin, state, folder, requested_by, created_at, started_at, beat_at)
        VALUES (${run.origin}, 'running', ${run.folder}, ${run.requestedBy}, ${at}, ${at}, ${at})
        RETURNING id`.first(db);
      await sql`DELETE FROM backup_runs WHERE id IN (
        SELECT id FROM backup_runs ORDER BY created_at DESC, id DESC OFFSET ${RUNS_MAX})`.execute(db);
      return row!.id;
    },

    async note(id: number, { step, done, total, bytes }: BackupProgress, nowMs: number): Promise<void> {
      await sql`UPDATE backup_runs SET beat_at = ${new Date(nowMs)}, step = ${step}, done = ${done}, total = ${total},
        bytes = ${bytes} WHERE id = ${id} AND state = 'running'`.execute(db);
    },

    async finish(id: number, head: BackupHead, pausedMs: number, nowMs: number): Promise<void> {
      await sql`UPDATE backup_runs SET state = 'done', step = NULL, finished_at = ${new Date(nowMs)},
        beat_at = ${new Date(nowMs)}, bytes = ${totalBytes(head)}, new_bytes = ${head.newBytes}, backup_id = ${head.id},
        moment_at = ${new Date(head.momentMs)}, events = ${head.events}, paused_ms = ${pausedMs},
        is_encrypted = ${head.isEncrypted} WHERE id = ${id}`.execute(db);
    },

    /** In what was restored from the backup, which has its own run as it was while it was made. */
    async finishRestored(head: BackupHead): Promise<void> {
      const at = new Date(head.momentMs);
      await sql`UPDATE backup_runs SET state = 'done', step = NULL, finished_at = ${at}, beat_at = ${at},
        bytes = ${totalBytes(head)}, new_bytes = ${head.newBytes}, backup_id = ${head.id}, moment_at = ${at},
        events = ${head.events}, is_encrypted = ${head.isEncrypted} WHERE state = 'running'`.execute(db);
    },

    async fail(id: number, error: string, nowMs: number): Promise<void> {
      await sql`UPDATE backup_runs SET state = 'failed', finished_at = ${new Date(nowMs)},
        error = ${error.slice(0, ERROR_CHARACTERS_MAX)} WHERE id = ${id} AND state = 'running'`.execute(db);
    },

    /** Runs that have been silent since a moment died with their process; answers how many. */
    failSilent: (silentSinceMs: number, nowMs: number): Promise<number> =>
      affectedRows`UPDATE backup_runs SET state = 'failed', finished_at = ${new Date(nowMs)},
        error = 'It was interrupted: the process that made it ended'
        WHERE state = 'running' AND beat_at < ${new Date(silentSinceMs)}`.execute(db),
  };
}

export type BackupStore = ReturnType<typeof createBackupStore>;
