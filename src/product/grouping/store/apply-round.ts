import { type Kysely, sql, type Transaction } from 'kysely';
import type { HashPair, RegroupCursor } from '#storage/ports/regroup-events.ts';
import { lockHashIndex } from '#storage/sql/hash-index-lock.ts';
import { notifyChanges } from '#storage/sql/notices.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';
import type { HashIndex, PlanTarget, RegroupPlan } from '../grouping-change.ts';
import { listPairs } from './change-rows.ts';
import { createIssueLike, dissolveIssues, keepIssues, recountIssues } from './dissolve-issues.ts';
import { type LeasedJob, type OwnedJob, ownJob } from './job-lease.ts';
import { moveHashes, noteHashes, readHashIndex, shiftCounts } from './move-hashes.ts';

/** One transaction: applies `plan` to hash index, issues and counters, moves the cursor. False as `checkpoint`. */
export async function applyRound(
  db: Kysely<Database>,
  job: LeasedJob,
  cursor: RegroupCursor,
  plan: (pairs: readonly HashPair[], index: HashIndex) => RegroupPlan,
  nowMs: number,
): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    const change = await ownJob(transaction, job);
    if (!change) return false;
    await lockHashIndex(transaction, change.projectId);
    const pairs = await listPairs(transaction, change.id, job.phase, cursor.round);
    const hashes = [...new Set(pairs.flatMap(({ from, to }) => [from, to]))];
    const index = await readHashIndex(
      transaction,
      change.projectId,
      hashes,
      change.id,
      job.phase === 'apply' ? cursor.round : null,
    );
    const decided = plan(pairs, index);
    await write(transaction, change, job.phase, pairs, index, decided, nowMs);
    const isFirst = job.phase === 'apply' && cursor.round === 0;
    if (isFirst) await activate(transaction, change, nowMs);
    // Later rounds meet events again whose rows stayed as they were.
    const changed = isFirst ? pairs.filter(({ from, to }) => from !== to) : decided.splits;
    await noteProgress(transaction, change, job.phase, cursor, changed, nowMs);
    await notifyChanges(transaction, [change]);
    return true;
  });
}

async function write(
  transaction: Transaction<Database>,
  change: OwnedJob,
  phase: 'apply' | 'undo',
  pairs: readonly HashPair[],
  index: HashIndex,
  plan: RegroupPlan,
  nowMs: number,
): Promise<void> {
  const isApply = phase === 'apply';
  const touched = touchedIssues(index, plan);
  if (isApply) await keepIssues(transaction, change.id, [...touched]);
  const issueIdOf = await createIssues(transaction, change, phase, plan);
  const moves = plan.moves.map(({ hash, target }) => ({ hash, issueId: issueIdOf(target) }));
  for (const { issueId } of moves) touched.add(issueId);
  if (isApply) {
    await noteHashes(transaction, change, [
      ...new Set(plan.splits.flatMap(({ from, to }) => [from, to])),
      ...[...plan.successors].flatMap(([from, to]) =>
        (index.standsFor.get(from) ?? from) === to ? [] : [from],
      ),
    ]);
    await moveHashes(transaction, change, moves);
    await noteSuccessors(transaction, change, plan.successors);
  } else {
    await addHashes(transaction, change.projectId, moves);
  }
  await shiftCounts(transaction, change.projectId, plan.splits, restOf(pairs, plan));
  await clearEmpty(transaction, change.projectId, plan.splits);
  const gone = plan.dissolved.map(({ issueId, into }) => ({ issueId, into: issueIdOf(into) }));
  await dissolveIssues(transaction, change.id, gone);
  await recordMerges(transaction, change, gone, nowMs);
  await recountIssues(transaction, [...touched]);
  await setTitles(
    transaction,
    plan.titles.map(({ target, ...rest }) => ({ ...rest, issueId: issueIdOf(target) })),
  );
}

function touchedIssues(index: HashIndex, plan: RegroupPlan): Set<number> {
  const touched = new Set<number>();
  const add = (issueId: number | undefined) => issueId !== undefined && touched.add(issueId);
  for (const { hash, target } of plan.moves) {
    add(index.issueOf.get(hash));
    add(target.kind === 'issue' ? target.issueId : target.from);
  }
  for (const { from, to } of plan.splits) {
    add(index.issueOf.get(from));
    add(index.issueOf.get(to));
  }
  for (const { issueId } of plan.dissolved) add(issueId);
  for (const { target } of plan.titles) if (target.kind === 'issue') add(target.issueId);
  return touched;
}

async function createIssues(
  transaction: Transaction<Database>,
  change: OwnedJob,
  phase: 'apply' | 'undo',
  plan: RegroupPlan,
): Promise<(target: PlanTarget) => number> {
  const created = new Map<string, number>();
  const titles = new Map(
    plan.titles.flatMap(({ target, title }) => (target.kind === 'new' ? [[target.key, title]] : [])),
  );
  for (const { target } of plan.moves) {
    if (target.kind !== 'new' || created.has(target.key)) continue;
    const issueId = await createIssueLike(transaction, {
      projectId: change.projectId,
      from: target.from,
      title: titles.get(target.key) ?? null,
    });
    created.set(target.key, issueId);
    if (phase === 'undo') continue;
    await sql`
      INSERT INTO grouping_change_issues (change_id, issue_id, role, other_issue_id)
      VALUES (${change.id}, ${issueId}, 'created', ${target.from})`.execute(transaction);
  }
  return (target) => {
    const issueId = target.kind === 'issue' ? target.issueId : created.get(target.key);
    if (issueId === undefined) throw new Error('A plan refers to an issue that it does not create');
    return issueId;
  };
}

async function noteSuccessors(
  transaction: Transaction<Database>,
  { id, projectId }: OwnedJob,
  successors: ReadonlyMap<string, string>,
): Promise<void> {
  const decided = sql`unnest(${[...successors.keys()]}::text[], ${[...successors.values()]}::text[])
    AS decided (hash, successor)`;
  await sql`
    UPDATE grouping_change_hashes noted SET successor = decided.successor FROM ${decided}
    WHERE noted.change_id = ${id} AND noted.hash = decided.hash AND noted.successor IS NULL
  `.execute(transaction);
  await sql`
    UPDATE grouping_hashes known SET stands_for = nullif(decided.successor, decided.hash) FROM ${decided}
    WHERE known.project_id = ${projectId} AND known.hash = decided.hash
      AND known.stands_for IS DISTINCT FROM nullif(decided.successor, decided.hash)`.execute(transaction);
}

async function addHashes(
  transaction: Transaction<Database>,
  projectId: number,
  moves: readonly { hash: string; issueId: number }[],
): Promise<void> {
  await sql`
    INSERT INTO grouping_hashes (project_id, hash, issue_id)
    SELECT ${projectId}, wanted.* FROM unnest(${moves.map(({ hash }) => hash)}::text[],
      ${moves.map(({ issueId }) => issueId)}::bigint[]) AS wanted (hash, issue_id)
    ON CONFLICT DO NOTHING`.execute(transaction);
}

/** First and last of what a hash keeps, where all of its events were looked at in this round. */
function restOf(
  pairs: readonly HashPair[],
  plan: RegroupPlan,
): ReadonlyMap<string, { events: number; firstSeen: number; lastSeen: number }> {
  const losing = new Set(plan.splits.map(({ from }) => from));
  const split = new Set(plan.splits);
  const rest = new Map<string, { events: number; firstSeen: number; lastSeen: number }>();
  for (const pair of pairs) {
    if (!losing.has(pair.from) || split.has(pair)) continue;
    const known = rest.get(pair.from);
    rest.set(pair.from, {
      events: (known?.events ?? 0) + pair.events,
      firstSeen: Math.min(known?.firstSeen ?? Number.POSITIVE_INFINITY, pair.firstSeen),
      lastSeen: Math.max(known?.lastSeen ?? 0, pair.lastSeen),
    });
  }
  return rest;
}

async function clearEmpty(
  transaction: Transaction<Database>,
  projectId: number,
  splits: readonly HashPair[],
): Promise<void> {
  const hashes = [...new Set(splits.map(({ from }) => from))];
  await sql`
    UPDATE grouping_hashes SET first_seen = NULL, last_seen = NULL
    WHERE project_id = ${projectId} AND hash = ANY(${hashes}::text[]) AND times_seen = 0
  `.execute(transaction);
}

async function activate(transaction: Transaction<Database>, change: OwnedJob, nowMs: number): Promise<void> {
  await sql`
    UPDATE grouping_rules SET activated_at = ${new Date(nowMs)}
    WHERE project_id = ${change.projectId} AND version = ${change.rulesVersion}`.execute(transaction);
}

async function noteProgress(
  transaction: Transaction<Database>,
  change: OwnedJob,
  phase: 'apply' | 'undo',
  cursor: RegroupCursor,
  changed: readonly HashPair[],
  nowMs: number,
): Promise<void> {
  const next: RegroupCursor = { ...cursor, step: 'move', day: null, after: null };
  const moved = changed.reduce((sum, { events }) => sum + events, 0);
  await sql`
    UPDATE grouping_changes SET cursor = ${JSON.stringify(next)}::jsonb, events_moved = events_moved + ${moved},
      state = ${phase === 'apply' ? 'moving' : 'undoing'}, last_error = NULL,
      applied_at = coalesce(applied_at, ${new Date(nowMs)})
    WHERE id = ${change.id}`.execute(transaction);
  if (phase === 'undo' || cursor.round > 0) return;
  await sql`
    UPDATE grouping_changes SET
      issues_before = (SELECT count(DISTINCT coalesce(noted.before_issue_id, known.issue_id))
        FROM grouping_change_pairs pair
        LEFT JOIN grouping_hashes known ON known.project_id = ${change.projectId} AND known.hash = pair.from_hash
        LEFT JOIN grouping_change_hashes noted ON noted.change_id = ${change.id} AND noted.hash = pair.from_hash
        WHERE pair.change_id = ${change.id} AND pair.phase = 'apply' AND pair.round = 0),
      issues_after = (SELECT count(DISTINCT known.issue_id) FROM grouping_change_pairs pair
        JOIN grouping_hashes known ON known.project_id = ${change.projectId} AND known.hash = pair.to_hash
        WHERE pair.change_id = ${change.id} AND pair.phase = 'apply' AND pair.round = 0)
    WHERE id = ${change.id}`.execute(transaction);
}

/** The issue that stays says what became part of it. */
export async function recordMerges(
  transaction: Transaction<Database>,
  change: OwnedJob,
  gone: readonly { issueId: number; into: number }[],
  nowMs: number,
): Promise<void> {
  if (gone.length === 0) return;
  await sql`
    INSERT INTO activities (issue_id, type, user_id, data, at)
    SELECT gone.into_id, 'merge', ${change.userId}, jsonb_build_object('changeId', ${change.id}::bigint,
      'count', count(*), 'rulesVersion', ${change.rulesVersion}::integer,
      'issues', to_jsonb((array_agg(jsonb_build_object('shortId', redirect.short_id) ORDER BY gone.from_id))[1:20])),
      ${new Date(nowMs)}::timestamptz
    FROM unnest(${gone.map(({ issueId }) => issueId)}::bigint[], ${gone.map(({ into }) => into)}::bigint[])
      AS gone (from_id, into_id)
    JOIN issue_redirects redirect ON redirect.old_issue_id = gone.from_id
    GROUP BY gone.into_id`.execute(transaction);
}

/** An issue is called as its newest event is, unless one came that is newer than those that were looked at. */
export async function setTitles(
  transaction: Transaction<Database>,
  titles: readonly { issueId: number; title: string; lastSeen: number }[],
): Promise<void> {
  const rows = titles.map(({ issueId, title, lastSeen }) => ({
    issue_id: issueId,
    title,
    last_seen: new Date(lastSeen),
  }));
  await sql`
    WITH named AS (
      SELECT * FROM json_to_recordset(${toStorableJson(rows)}::json) AS row_of (issue_id bigint, title text,
        last_seen timestamptz)
    ), renamed AS (
      UPDATE issues SET title = named.title FROM named
      WHERE issues.id = named.issue_id AND issues.title <> named.title AND issues.last_seen <= named.last_seen
      RETURNING issues.id, issues.title
    )
    UPDATE issue_texts SET content = issue_texts.content || E'\n' || renamed.title FROM renamed
    WHERE issue_texts.issue_id = renamed.id`.execute(transaction);
}
