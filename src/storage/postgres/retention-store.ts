import { type Kysely, sql } from 'kysely';
import { categoryOfKind } from '#protocol/outcome.ts';
import { RETENTION_GROUPS, type RetentionDays, type RetentionGroup } from '#protocol/retention.ts';
import type { RetentionDrop, RetentionStore } from '#storage/ports/retention.ts';
import { addOutcomes } from './outcome-store.ts';
import type { Database } from './schema.ts';
import { createStorageBudgets } from './storage-budgets.ts';

const SETTING = 'retention_days';
/** A year and a month, so that a month can be compared with the same one of the year before. */
const STATS_DAYS_DEFAULT = 396;

type Decided = Partial<Record<RetentionGroup, number | null>>;
const DROPS_MAX = 1_000;

/** `daysDefault` counts for every group that nobody decided about, but for the statistics, which are small. */
export function createRetentionStore(db: Kysely<Database>, daysDefault: number): RetentionStore {
  const withDefaults = (decided: Decided): RetentionDays =>
    Object.fromEntries(
      RETENTION_GROUPS.map((group) => [
        group,
        decided[group] ?? (group === 'stats' ? Math.max(daysDefault, STATS_DAYS_DEFAULT) : daysDefault),
      ]),
    ) as RetentionDays;

  return {
    ...createStorageBudgets(db),

    async findDays() {
      return withDefaults(await readDecided(db));
    },

    async saveDays(change) {
      const decided = { ...(await readDecided(db)), ...change };
      for (const group of RETENTION_GROUPS) if (decided[group] === null) delete decided[group];
      await sql`INSERT INTO instance_settings (key, value) VALUES (${SETTING}, ${JSON.stringify(decided)}::jsonb)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now()`.execute(db);
      return withDefaults(decided);
    },

    async beginDrop(drop, counts, nowMs) {
      return await db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ id: number }>`
          INSERT INTO retention_drops (kind, day, part, project_id, hours, reason, row_count, bytes, started_at)
          VALUES (${drop.kind}, ${drop.day}::date, ${drop.part ?? ''}, ${drop.projectId}, ${[...drop.hours]}::smallint[],
            ${drop.reason}, ${drop.rows}, ${drop.bytes}, ${new Date(drop.startedAt)})
          RETURNING id`.execute(transaction);
        const { kind } = drop;
        if (kind !== 'blobs') {
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
        return rows[0]!.id;
      });
    },

    async finishDrop(id, nowMs) {
      await sql`UPDATE retention_drops SET done_at = ${new Date(nowMs)} WHERE id = ${id} AND done_at IS NULL`.execute(
        db,
      );
    },

    async hasQuarantined(day, projectId) {
      const { rows } = await sql`SELECT FROM quarantine WHERE project_id = ${projectId}
        AND received_at >= ${day}::date::timestamp AT TIME ZONE 'UTC'
        AND received_at < (${day}::date + 1)::timestamp AT TIME ZONE 'UTC' LIMIT 1`.execute(db);
      return rows.length > 0;
    },

    async listUnfinished() {
      const { rows } = await sql<DropRow>`SELECT ${DROP_COLUMNS} FROM retention_drops WHERE done_at IS NULL
        ORDER BY id LIMIT ${DROPS_MAX}`.execute(db);
      return rows.map(toDrop);
    },

    async listDrops(limit) {
      const { rows } = await sql<DropRow>`SELECT ${DROP_COLUMNS} FROM retention_drops
        ORDER BY started_at DESC, id DESC LIMIT ${Math.min(limit, DROPS_MAX)}`.execute(db);
      return rows.map(toDrop);
    },

    async listSilentIssues(beforeMs, afterId, limit) {
      const { rows } = await sql<{ id: number; project_id: number; hashes: string[] }>`
        SELECT i.id, i.project_id, coalesce(array_agg(g.hash) FILTER (WHERE g.hash IS NOT NULL), '{}') AS hashes
        FROM (
          SELECT id, project_id FROM issues WHERE last_seen < ${new Date(beforeMs)} AND id > ${afterId}
          ORDER BY id LIMIT ${limit}
        ) AS i
        LEFT JOIN grouping_hashes g ON g.issue_id = i.id
        GROUP BY i.id, i.project_id ORDER BY i.id`.execute(db);
      return rows.map((row) => ({ issueId: row.id, projectId: row.project_id, hashes: row.hashes }));
    },

    async deleteSilentIssues(issueIds, beforeMs) {
      if (issueIds.length === 0) return 0;
      const { numAffectedRows } = await sql`
        DELETE FROM issues WHERE id = ANY(${issueIds}::bigint[]) AND last_seen < ${new Date(beforeMs)}`.execute(
        db,
      );
      return Number(numAffectedRows ?? 0n);
    },

    async deleteOld({ statsMs, outboxMs, quarantineMs, dropsMs }) {
      await sql`DELETE FROM outcomes_hourly WHERE hour < ${new Date(statsMs)}`.execute(db);
      await sql`DELETE FROM outbox WHERE created_at < ${new Date(outboxMs)}`.execute(db);
      await sql`DELETE FROM quarantine WHERE quarantined_at < ${new Date(quarantineMs)}`.execute(db);
      await sql`DELETE FROM retention_drops WHERE started_at < ${new Date(dropsMs)} AND done_at IS NOT NULL`.execute(
        db,
      );
    },
  };
}

async function readDecided(db: Kysely<Database>): Promise<Decided> {
  const { rows } = await sql<{
    value: Decided;
  }>`SELECT value FROM instance_settings WHERE key = ${SETTING}`.execute(db);
  return rows[0]?.value ?? {};
}

const DROP_COLUMNS = sql`id, kind, to_char(day, 'YYYY-MM-DD') AS day, part, project_id, hours, reason, row_count, bytes,
  started_at, done_at`;

type DropRow = {
  id: number;
  kind: RetentionDrop['kind'];
  day: string;
  part: string;
  project_id: number | null;
  hours: number[];
  reason: RetentionDrop['reason'];
  row_count: number;
  bytes: number;
  started_at: Date;
  done_at: Date | null;
};

const toDrop = (row: DropRow): RetentionDrop => ({
  id: row.id,
  kind: row.kind,
  day: row.day,
  part: row.part || null,
  projectId: row.project_id,
  hours: row.hours,
  reason: row.reason,
  rows: row.row_count,
  bytes: row.bytes,
  startedAt: row.started_at.getTime(),
  doneAt: row.done_at?.getTime() ?? null,
});
