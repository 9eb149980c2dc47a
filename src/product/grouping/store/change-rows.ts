import { type Kysely, type RawBuilder, sql } from 'kysely';
import { conflict, notFound } from '#lib/errors.ts';
import type { HashPair } from '#storage/ports/regroup-events.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import type { GroupingChange, GroupingChangeKind, GroupingChangeState } from '../grouping-change.ts';

/** Of `grouping_changes change`, with its `users`. */
export const CHANGE_USER = sql`CASE WHEN change.user_id IS NOT NULL
  THEN json_build_object('userId', change.user_id, 'name', coalesce(users.name, '')) END`;

const CHANGE_COLUMNS = sql`change.id, change.organization_id, change.project_id, change.kind, change.state,
  change.created_at, change.applied_at, change.undone_at, change.finished_at, change.rules_version,
  change.former_version, change.events_total, change.events_seen, change.events_moved, change.issues_before,
  change.issues_after, change.last_error, ${CHANGE_USER} AS user`;

/** Newest first. */
export async function selectChanges(
  db: Kysely<Database>,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<readonly GroupingChange[]> {
  return await query<GroupingChange>`
    SELECT ${CHANGE_COLUMNS} FROM grouping_changes change
    LEFT JOIN users ON users.id = change.user_id
    WHERE ${where} ORDER BY change.id DESC LIMIT ${limit}`.execute(db);
}

/** Throws NotFound. */
export async function getChange(
  db: Kysely<Database>,
  organizationId: number,
  changeId: number,
): Promise<GroupingChange> {
  const [change] = await selectChanges(
    db,
    sql`change.organization_id = ${organizationId} AND change.id = ${changeId}`,
    1,
  );
  if (!change) throw notFound(`Grouping change ${changeId} not found`);
  return change;
}

/** Throws Conflict while a regroup of the project is under way: two of them would not know of each other. */
export async function refuseWhileRunning(db: Kysely<Database>, projectId: number): Promise<void> {
  const [running] = await selectChanges(
    db,
    sql`change.project_id = ${projectId} AND change.state IN ('scanning', 'moving', 'undoing')`,
    1,
  );
  if (running)
    throw conflict("This project's stored events are being regrouped: wait until regrouping is done");
}

export async function insertChange(
  db: Kysely<Database>,
  change: {
    organizationId: number;
    projectId: number;
    kind: GroupingChangeKind;
    state: GroupingChangeState;
    userId: string | null;
    rulesVersion?: number;
    formerVersion?: number;
  },
  nowMs: number,
): Promise<number> {
  const at = new Date(nowMs);
  const row = await query<{ id: number }>`
    INSERT INTO grouping_changes (organization_id, project_id, kind, state, user_id, created_at, applied_at, finished_at,
      rules_version, former_version)
    VALUES (${change.organizationId}, ${change.projectId}, ${change.kind}, ${change.state}, ${change.userId}, ${at},
      ${change.state === 'done' ? at : null}, ${change.state === 'done' ? at : null},
      ${change.rulesVersion ?? null}, ${change.formerVersion ?? null})
    RETURNING id`.first(db);
  return row!.id;
}

const PAIR_COLUMNS = sql`pair.from_hash AS "from", pair.to_hash AS "to", pair.events, pair.first_seen, pair.last_seen,
  pair.title`;

export async function listPairs(
  db: Kysely<Database>,
  changeId: number,
  phase: 'apply' | 'undo',
  round: number,
): Promise<readonly HashPair[]> {
  return await query<HashPair>`
    SELECT ${PAIR_COLUMNS} FROM grouping_change_pairs pair
    WHERE change_id = ${changeId} AND phase = ${phase} AND round = ${round} ORDER BY from_hash, to_hash
  `.execute(db);
}

/** Pairs whose rows get another hash. Hashes missing from the index belong to deleted issues and are skipped. */
export async function listSplits(
  db: Kysely<Database>,
  changeId: number,
  phase: 'apply' | 'undo',
  round: number | null,
): Promise<readonly HashPair[]> {
  return await query<HashPair>`
    SELECT ${PAIR_COLUMNS} FROM grouping_change_pairs pair
    LEFT JOIN grouping_change_hashes noted ON noted.change_id = pair.change_id AND noted.hash = pair.from_hash
    JOIN grouping_changes change ON change.id = pair.change_id
    JOIN grouping_hashes known ON known.project_id = change.project_id AND known.hash = pair.from_hash
    WHERE pair.change_id = ${changeId} AND pair.phase = ${phase} AND pair.from_hash <> pair.to_hash
      AND (change.kind <> 'reprocess' OR noted.before_issue_id IS NOT NULL)
      ${round === null ? sql`` : sql`AND pair.round = ${round}`}
      AND coalesce(${phase === 'undo' ? sql`` : sql`noted.successor,`} known.stands_for, pair.from_hash) <> pair.to_hash
    ORDER BY pair.from_hash, pair.to_hash`.execute(db);
}
