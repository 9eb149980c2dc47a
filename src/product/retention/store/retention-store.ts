import { type Kysely, sql } from 'kysely';
import { categoryOfKind } from '#protocol/outcome.ts';
import { RETENTION_GROUPS, type RetentionDays, type RetentionGroup } from '#protocol/retention.ts';
import type { Droppable, StoredKind } from '#storage/ports/stored-days.ts';
import { addOutcomes } from '#storage/sql/outcomes.ts';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { createStorageBudgets } from './storage-budgets.ts';

export type DropReason = 'age' | 'disk_budget' | 'blob_budget' | 'project_budget';

export type RetentionDrop = Omit<Droppable, 'kind'> & {
  id: number;
  kind: StoredKind | 'blobs';
  reason: DropReason;
  rows: number;
  bytes: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** null while it is under way. */
  doneAt: number | null;
};

const SETTING = 'retention_days';
/** A year and a month, so that a month can be compared with the same one of the year before. */
const STATS_DAYS_DEFAULT = 396;

type Decided = Partial<Record<RetentionGroup, number | null>>;
const DROPS_MAX = 1_000;

/** Retention settings and drops. Source: PostgreSQL. `daysDefault` applies to every unset group but statistics. */
export function createRetentionStore(db: Kysely<Database>, daysDefault: number) {
  const withDefaults = (decided: Decided): RetentionDays =>
    Object.fromEntries(
      RETENTION_GROUPS.map((group) => [
        group,
        decided[group] ?? (group === 'stats' ? Math.max(daysDefault, STATS_DAYS_DEFAULT) : daysDefault),
      ]),
    ) as RetentionDays;

  return {
    ...createStorageBudgets(db),

    /** What was decided; groups that nobody decided about have the instance's default. */
    async findDays(): Promise<RetentionDays> {
      return withDefaults(await readDecided(db));
    },

    /** Answers what counts now; null for a group returns it to the default. */
    async saveDays(change: Partial<Record<RetentionGroup, number | null>>): Promise<RetentionDays> {
      const decided = { ...(await readDecided(db)), ...change };
      for (const group of RETENTION_GROUPS) if (decided[group] === null) delete decided[group];
      await sql`INSERT INTO instance_settings (key, value) VALUES (${SETTING}, ${JSON.stringify(decided)}::jsonb)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now()`.execute(db);
      return withDefaults(decided);
    },

    /** In one transaction: the drop is noted and its rows are counted as expired, by project. Answers its id. */
    async beginDrop(
      drop: Omit<RetentionDrop, 'id' | 'doneAt'>,
      counts: readonly { organizationId: number; projectId: number; rows: number }[],
      nowMs: number,
    ): Promise<number> {
      return await db.transaction().execute(async (transaction) => {
        const row = await query<{ id: number }>`
          INSERT INTO retention_drops (kind, day, part, project_id, hours, reason, row_count, bytes, started_at)
          VALUES (${drop.kind}, ${drop.day}::date, ${drop.part ?? ''}, ${drop.projectId}, ${[...drop.hours]}::smallint[],
            ${drop.reason}, ${drop.rows}, ${drop.bytes}, ${new Date(drop.startedAt)})
          RETURNING id`.first(transaction);
        const { kind } = drop;
        // Blobs have the outcomes of their rows, and nobody sent uptime checks.
        if (kind !== 'blobs' && kind !== 'uptimeChecks') {
          await addOutcomes(
            transaction,
            counts.map(({ organizationId, projectId, rows: quantity }) => ({
              organizationId,
              projectId,
              keyId: null,
              at: nowMs,
              category: categoryOfKind(kind),
              outcome: 'expired' as const,
              reason: drop.reason,
              quantity,
            })),
          );
        }
        return row!.id;
      });
    },

    async finishDrop(id: number, nowMs: number): Promise<void> {
      await sql`UPDATE retention_drops SET done_at = ${new Date(nowMs)} WHERE id = ${id} AND done_at IS NULL
      `.execute(db);
    },

    /** Whether records that a project sent on a day (UTC) are in quarantine: what they name may be asked for again. */
    async hasQuarantined(day: string, projectId: number): Promise<boolean> {
      const { rows } = await sql`SELECT FROM quarantine WHERE project_id = ${projectId}
        AND received_at >= ${day}::date::timestamp AT TIME ZONE 'UTC'
        AND received_at < (${day}::date + 1)::timestamp AT TIME ZONE 'UTC' LIMIT 1`.execute(db);
      return rows.length > 0;
    },

    /** Begun and not finished: a crash came between. Oldest first. */
    listUnfinished: (): Promise<readonly RetentionDrop[]> =>
      query<RetentionDrop>`SELECT ${DROP_COLUMNS} FROM retention_drops WHERE done_at IS NULL
        ORDER BY id LIMIT ${DROPS_MAX}`.execute(db),

    /** Newest first. */
    listDrops: (limit: number): Promise<readonly RetentionDrop[]> =>
      query<RetentionDrop>`SELECT ${DROP_COLUMNS} FROM retention_drops
        ORDER BY started_at DESC, id DESC LIMIT ${Math.min(limit, DROPS_MAX)}`.execute(db),

    /** Issues last seen before the moment, after an id, with their hashes; at most `limit`, by id. */
    listSilentIssues: (
      beforeMs: number,
      afterId: number,
      limit: number,
    ): Promise<readonly { issueId: number; projectId: number; hashes: readonly string[] }[]> =>
      query<{ issueId: number; projectId: number; hashes: string[] }>`
        SELECT i.id AS issue_id, i.project_id, coalesce(array_agg(g.hash) FILTER (WHERE g.hash IS NOT NULL), '{}') AS hashes
        FROM (
          SELECT id, project_id FROM issues WHERE last_seen < ${new Date(beforeMs)} AND id > ${afterId}
          ORDER BY id LIMIT ${limit}
        ) AS i
        LEFT JOIN grouping_hashes g ON g.issue_id = i.id
        GROUP BY i.id, i.project_id ORDER BY i.id`.execute(db),

    /** Only those that were not seen again in the meantime. Answers how many. */
    async deleteSilentIssues(issueIds: readonly number[], beforeMs: number): Promise<number> {
      if (issueIds.length === 0) return 0;
      return await affectedRows`
        DELETE FROM issues WHERE id = ANY(${issueIds}::bigint[]) AND last_seen < ${new Date(beforeMs)}
      `.execute(db);
    },

    /** Counters of hours before the moment, outbox entries that are done or that nobody fetched, and quarantined records. */
    async deleteOld({
      statsMs,
      outboxMs,
      quarantineMs,
      dropsMs,
    }: {
      statsMs: number;
      outboxMs: number;
      quarantineMs: number;
      dropsMs: number;
    }): Promise<void> {
      await sql`DELETE FROM outcomes_hourly WHERE hour < ${new Date(statsMs)}`.execute(db);
      await sql`DELETE FROM outbox WHERE created_at < ${new Date(outboxMs)}`.execute(db);
      await sql`DELETE FROM quarantine WHERE quarantined_at < ${new Date(quarantineMs)}`.execute(db);
      await sql`DELETE FROM retention_drops WHERE started_at < ${new Date(dropsMs)} AND done_at IS NOT NULL
      `.execute(db);
    },
  };
}

export type RetentionStore = ReturnType<typeof createRetentionStore>;

async function readDecided(db: Kysely<Database>): Promise<Decided> {
  const row = await query<{ value: Decided }>`
    SELECT value FROM instance_settings WHERE key = ${SETTING}`.first(db);
  return row?.value ?? {};
}

const DROP_COLUMNS = sql`id, kind, to_char(day, 'YYYY-MM-DD') AS day, nullif(part, '') AS part, project_id, hours,
  reason, row_count AS rows, bytes, started_at, done_at`;
