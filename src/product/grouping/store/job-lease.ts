import { type Kysely, sql, type Transaction } from 'kysely';
import type { HashPair, RegroupCursor } from '#storage/ports/regroup-events.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';
import type { GroupingChange, GroupingChangeState, RegroupJob } from '../grouping-change.ts';
import { selectChanges } from './change-rows.ts';

/** A job as its worker names it. */
export type LeasedJob = { changeId: number; owner: string; phase: 'apply' | 'undo' };

/** What the steps of a job need of its change. */
export type OwnedJob = Pick<
  GroupingChange,
  'id' | 'organizationId' | 'projectId' | 'state' | 'rulesVersion' | 'formerVersion'
> & { userId: string | null };

/** A job that nobody works on, or that the owner had already; it is the owner's until `leaseMs` after its last step. */
export async function claimJob(
  db: Kysely<Database>,
  owner: string,
  leaseMs: number,
  nowMs: number,
): Promise<RegroupJob | null> {
  const row = await query<{ id: number; cursor: Partial<RegroupCursor> }>`
    UPDATE grouping_changes SET lease_owner = ${owner}, lease_until = ${new Date(nowMs + leaseMs)}
    WHERE id = (
      SELECT id FROM grouping_changes
      WHERE state IN ('scanning', 'moving', 'undoing')
        -- A worker that asks has given up what it held, also when this store was away just then.
        AND (lease_until IS NULL OR lease_until < ${new Date(nowMs)} OR lease_owner = ${owner})
      -- One that failed lets the others go first.
      ORDER BY last_error IS NOT NULL, id LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    RETURNING id, cursor`.first(db);
  if (!row) return null;
  const [change] = await selectChanges(db, sql`change.id = ${row.id}`, 1);
  if (!change) return null;
  const phase = change.state === 'undoing' ? 'undo' : 'apply';
  const version = phase === 'apply' ? change.rulesVersion : change.formerVersion;
  const rules = await query<RegroupJob['rules']>`
    SELECT fingerprint, stack_trace FROM grouping_rules
    WHERE project_id = ${change.projectId} AND version = ${version ?? 0}`.first(db);
  return {
    change,
    phase,
    cursor: row.cursor.step === undefined ? null : (row.cursor as RegroupCursor),
    rules: rules ?? { fingerprint: '', stackTrace: '' },
  };
}

/** Locks the change for this step; null when it is not the owner's any more, or in another phase. */
export async function ownJob(transaction: Transaction<Database>, job: LeasedJob): Promise<OwnedJob | null> {
  const row = await query<OwnedJob>`
    SELECT id, organization_id, project_id, state, user_id, rules_version, former_version FROM grouping_changes
    WHERE id = ${job.changeId} AND lease_owner = ${job.owner} FOR UPDATE`.first(transaction);
  const states: readonly GroupingChangeState[] = job.phase === 'apply' ? ['scanning', 'moving'] : ['undoing'];
  return row && states.includes(row.state) ? row : null;
}

/** One transaction: adds pairs to the round and moves the cursor. False, and nothing written, when the job was lost. */
export async function checkpointJob(
  db: Kysely<Database>,
  job: LeasedJob,
  step: {
    cursor: RegroupCursor;
    pairs: readonly HashPair[];
    eventsSeen: number;
    eventsTotal: number;
    leaseMs: number;
  },
  nowMs: number,
): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    const change = await ownJob(transaction, job);
    if (!change) return false;
    const rows = step.pairs.map(({ from, to, events, firstSeen, lastSeen, title }) => ({
      from_hash: from,
      to_hash: to,
      events,
      first_seen: new Date(firstSeen),
      last_seen: new Date(lastSeen),
      title,
    }));
    if (rows.length > 0) {
      await sql`
        INSERT INTO grouping_change_pairs AS known (change_id, phase, round, from_hash, to_hash, events, first_seen,
          last_seen, title)
        SELECT ${change.id}, ${job.phase}, ${step.cursor.round}::integer, row_of.*
        FROM json_to_recordset(${toStorableJson(rows)}::json) AS row_of (from_hash text, to_hash text, events bigint,
          first_seen timestamptz, last_seen timestamptz, title text)
        ON CONFLICT (change_id, phase, round, from_hash, to_hash) DO UPDATE SET
          events = known.events + excluded.events,
          first_seen = least(known.first_seen, excluded.first_seen),
          last_seen = greatest(known.last_seen, excluded.last_seen),
          title = CASE WHEN excluded.last_seen >= known.last_seen THEN excluded.title ELSE known.title END
      `.execute(transaction);
    }
    await sql`
      UPDATE grouping_changes SET cursor = ${JSON.stringify(step.cursor)}::jsonb, last_error = NULL,
        events_seen = ${step.eventsSeen}, events_total = ${step.eventsTotal},
        lease_until = ${new Date(nowMs + step.leaseMs)}
      WHERE id = ${change.id}`.execute(transaction);
    return true;
  });
}
