import { type Kysely, type RawBuilder, sql } from 'kysely';
import { conflict, notFound } from '#lib/errors.ts';
import type { HashPair } from '#storage/ports/regroup-events.ts';
import type { Database } from '#storage/sql/schema.ts';
import type { GroupingChange, GroupingChangeKind, GroupingChangeState } from '../grouping-change.ts';

type ChangeRow = {
  id: number;
  organization_id: number;
  project_id: number;
  kind: GroupingChangeKind;
  state: GroupingChangeState;
  user_id: string | null;
  user_name: string | null;
  created_at: Date;
  applied_at: Date | null;
  undone_at: Date | null;
  finished_at: Date | null;
  rules_version: number | null;
  former_version: number | null;
  events_total: number;
  events_seen: number;
  events_moved: number;
  issues_before: number;
  issues_after: number;
  last_error: string | null;
};

/** Newest first. */
export async function selectChanges(
  db: Kysely<Database>,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<readonly GroupingChange[]> {
  const { rows } = await sql<ChangeRow>`
    SELECT change.*, users.name AS user_name FROM grouping_changes change
    LEFT JOIN users ON users.id = change.user_id
    WHERE ${where} ORDER BY change.id DESC LIMIT ${limit}`.execute(db);
  return rows.map(toChange);
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
  const { rows } = await sql<{ id: number }>`
    INSERT INTO grouping_changes (organization_id, project_id, kind, state, user_id, created_at, applied_at, finished_at,
      rules_version, former_version)
    VALUES (${change.organizationId}, ${change.projectId}, ${change.kind}, ${change.state}, ${change.userId}, ${at},
      ${change.state === 'done' ? at : null}, ${change.state === 'done' ? at : null},
      ${change.rulesVersion ?? null}, ${change.formerVersion ?? null})
    RETURNING id`.execute(db);
  return rows[0]!.id;
}

const toChange = (row: ChangeRow): GroupingChange => ({
  id: row.id,
  organizationId: row.organization_id,
  projectId: row.project_id,
  kind: row.kind,
  state: row.state,
  user: row.user_id === null ? null : { userId: row.user_id, name: row.user_name ?? '' },
  createdAt: row.created_at.getTime(),
  appliedAt: row.applied_at?.getTime() ?? null,
  undoneAt: row.undone_at?.getTime() ?? null,
  finishedAt: row.finished_at?.getTime() ?? null,
  rulesVersion: row.rules_version,
  formerVersion: row.former_version,
  eventsTotal: row.events_total,
  eventsSeen: row.events_seen,
  eventsMoved: row.events_moved,
  issuesBefore: row.issues_before,
  issuesAfter: row.issues_after,
  lastError: row.last_error,
});

type PairRow = {
  from_hash: string;
  to_hash: string;
  events: number;
  first_seen: Date;
  last_seen: Date;
  title: string;
};

export async function listPairs(
  db: Kysely<Database>,
  changeId: number,
  phase: 'apply' | 'undo',
  round: number,
): Promise<readonly HashPair[]> {
  const { rows } = await sql<PairRow>`
    SELECT * FROM grouping_change_pairs WHERE change_id = ${changeId} AND phase = ${phase} AND round = ${round}
    ORDER BY from_hash, to_hash`.execute(db);
  return rows.map(toPair);
}

/**
 * Pairs whose events get another hash row by row; all others only lead elsewhere. What the hash index does not know (any more)
 * is of an issue that was deleted, and goes with it. Of uploads that were applied, only what was decided: a hash that
 * digest counted a moment later keeps its events until the next time.
 */
export async function listSplits(
  db: Kysely<Database>,
  changeId: number,
  phase: 'apply' | 'undo',
  round: number | null,
): Promise<readonly HashPair[]> {
  const { rows } = await sql<PairRow>`
    SELECT pair.* FROM grouping_change_pairs pair
    LEFT JOIN grouping_change_hashes noted ON noted.change_id = pair.change_id AND noted.hash = pair.from_hash
    JOIN grouping_changes change ON change.id = pair.change_id
    JOIN grouping_hashes known ON known.project_id = change.project_id AND known.hash = pair.from_hash
    WHERE pair.change_id = ${changeId} AND pair.phase = ${phase} AND pair.from_hash <> pair.to_hash
      AND (change.kind <> 'reprocess' OR noted.before_issue_id IS NOT NULL)
      ${round === null ? sql`` : sql`AND pair.round = ${round}`}
      AND coalesce(${phase === 'undo' ? sql`` : sql`noted.successor,`} known.stands_for, pair.from_hash) <> pair.to_hash
    ORDER BY pair.from_hash, pair.to_hash`.execute(db);
  return rows.map(toPair);
}

const toPair = (row: PairRow): HashPair => ({
  from: row.from_hash,
  to: row.to_hash,
  events: row.events,
  firstSeen: row.first_seen.getTime(),
  lastSeen: row.last_seen.getTime(),
  title: row.title,
});
