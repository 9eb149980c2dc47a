import { sql, type Transaction } from 'kysely';
import type { IssuePriority } from '#domain/issues/issue.ts';
import { automaticPriority } from '#domain/issues/priority.ts';
import { anchorOf, findNextReleases, type NewRelease, type ReleaseLine } from '#domain/issues/regression.ts';
import { type ClosedState, findTransition, type IssueTransition } from '#domain/issues/transition.ts';
import type { Database, Row } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';
import type { IssueDelta } from './issue-delta.ts';
import { type TouchedIssue, textsOf } from './issue-outbox.ts';
import {
  findCommitReleases,
  findPackages,
  findPending,
  orderReleases,
  pairsOf,
  type ReleasePair,
  resolveInReleases,
} from './resolved-releases.ts';

export type UpdatedIssue = TouchedIssue & {
  /** Whether its texts are the newest event's of the batch. */
  isNewest: boolean;
  /** null unless it was closed and is not any more. */
  transition: IssueTransition | null;
};

/** Counts the events of known issues, opens those that they show to be unfixed, and names the release that others wait for. */
export async function updateIssues(
  transaction: Transaction<Database>,
  known: ReadonlyMap<number, IssueDelta>,
  newReleases: readonly NewRelease[],
  nowMs: number,
): Promise<UpdatedIssue[]> {
  const pending = await findPending(transaction, newReleases);
  const ofCommits = await findCommitReleases(transaction, newReleases);
  const issueIds = new Set([...known.keys(), ...pending.map(({ issueId }) => issueId), ...ofCommits.keys()]);
  if (issueIds.size === 0) return [];
  const { rows: locked } = await sql<IssueLock>`
    SELECT ${sql.join(LOCKED_COLUMNS.map((column) => sql.ref(column)))}
    FROM issues WHERE id = ANY(${[...issueIds]}::bigint[])
    ORDER BY id FOR NO KEY UPDATE`.execute(transaction);
  // The release is known before its events of this batch are counted: those tell already whether it holds the fix.
  const inCommits = new Map(
    locked.flatMap(({ id, resolution }) => {
      const found = ofCommits.get(id);
      return found && resolution?.kind === 'commit' ? [[id, found] as const] : [];
    }),
  );
  const rows = locked.map((row): IssueLock => {
    const found = inCommits.get(row.id);
    return found ? { ...row, resolution: { kind: 'release', release: found.version } } : row;
  });
  const orderOf = await orderReleases(
    transaction,
    [...pairsOf(pending, newReleases), ...pairsToOrder(rows, known)],
    nowMs,
  );
  const packages = await findPackages(transaction, anchoredOf(rows, known));
  const lineOf = (issueId: number, organizationId: number): ReleaseLine => ({
    package: packages.get(issueId) ?? null,
    order: orderOf(organizationId),
  });
  const updated = rows.flatMap((row) => {
    const delta = known.get(row.id);
    return delta ? updateOf(row, delta, lineOf(row.id, row.organization_id), nowMs) : [];
  });
  await writeUpdates(transaction, updated, nowMs);

  const next = findNextReleases(pending, newReleases, ({ issueId, organizationId }) =>
    lineOf(issueId, organizationId),
  );
  const transitioned = new Set(updated.filter(({ transition }) => transition).map(({ issueId }) => issueId));
  const named = rows.flatMap(({ id, resolution }) => {
    const found = resolution?.kind === 'next_release' ? next.get(id) : inCommits.get(id);
    return found && !transitioned.has(id) ? [[id, found] as const] : [];
  });
  await resolveInReleases(transaction, new Map(named), nowMs);
  return updated;
}

const LOCKED_COLUMNS = [
  'id',
  'organization_id',
  'short_id',
  'last_seen',
  'last_release',
  'times_seen',
  'substatus',
  'level',
  'priority',
  'priority_locked_at',
  'resolved_at',
  'resolution',
  'archive',
  'escalates_at_times_seen',
  'escalates_before',
] as const;

type IssueLock = Pick<Row<'issues'>, (typeof LOCKED_COLUMNS)[number]>;

type IssueUpdate = UpdatedIssue & { priority: IssuePriority };

function updateOf(row: IssueLock, delta: IssueDelta, line: ReleaseLine, nowMs: number): IssueUpdate {
  const isNewest = delta.lastSeen >= row.last_seen.getTime();
  const transition = delta.isImport
    ? null
    : findTransition(closedStateOf(row, delta), delta.receivedAt, line, nowMs);
  const level = isNewest ? delta.newest.level : row.level;
  const substatus = transition?.substatus ?? row.substatus;
  const priority = row.priority_locked_at === null ? automaticPriority(level, substatus) : row.priority;
  return { issueId: row.id, shortId: row.short_id, delta, isNewest, transition, priority };
}

const closedStateOf = (row: IssueLock, delta: IssueDelta): ClosedState => ({
  resolvedAtMs: row.resolved_at?.getTime() ?? null,
  resolution: row.resolution,
  archive: row.archive,
  escalatesAtTimesSeen: row.escalates_at_times_seen,
  escalatesBeforeMs: row.escalates_before?.getTime() ?? null,
  timesSeen: row.times_seen + delta.count,
});

/** Issues that were resolved in or after a release, and the releases that they were and are seen in. */
const anchoredOf = (rows: readonly IssueLock[], known: ReadonlyMap<number, IssueDelta>) =>
  rows.flatMap(({ id: issueId, resolution, last_release: last }) => {
    const anchor = anchorOf(resolution);
    if (anchor === null) return [];
    const delta = known.get(issueId);
    const releases = [...(delta?.receivedAt.keys() ?? [])];
    return { issueId, anchor, lastRelease: last ?? delta?.lastRelease ?? null, releases };
  });

/** The releases of events that stand against the one that their issue was resolved in. */
const pairsToOrder = (rows: readonly IssueLock[], known: ReadonlyMap<number, IssueDelta>): ReleasePair[] =>
  rows.flatMap(({ id, organization_id: organizationId, resolution }) => {
    const other = anchorOf(resolution);
    if (other === null) return [];
    const releases = [...(known.get(id)?.receivedAt.keys() ?? [])];
    return releases.flatMap((release) => (release === null ? [] : { organizationId, release, other }));
  });

async function writeUpdates(
  transaction: Transaction<Database>,
  updates: readonly IssueUpdate[],
  nowMs: number,
): Promise<void> {
  if (updates.length === 0) return;
  const changes = updates.map(({ issueId, delta, isNewest, transition, priority }) => ({
    id: issueId,
    is_newest: isNewest,
    substatus: transition?.substatus ?? null,
    priority,
    ...textsOf(delta.newest),
    first_seen: new Date(delta.firstSeen),
    last_seen: new Date(delta.lastSeen),
    times_seen: delta.count,
    first_release: delta.firstRelease,
    last_release: delta.lastRelease,
  }));
  await sql`
    UPDATE issues SET
      title = CASE WHEN delta.is_newest THEN delta.title ELSE issues.title END,
      culprit = CASE WHEN delta.is_newest THEN delta.culprit ELSE issues.culprit END,
      level = CASE WHEN delta.is_newest THEN delta.level ELSE issues.level END,
      metadata = CASE WHEN delta.is_newest THEN delta.metadata ELSE issues.metadata END,
      first_seen = least(issues.first_seen, delta.first_seen),
      last_seen = greatest(issues.last_seen, delta.last_seen),
      times_seen = issues.times_seen + delta.times_seen,
      first_release = coalesce(issues.first_release, delta.first_release),
      last_release = CASE WHEN delta.is_newest THEN coalesce(delta.last_release, issues.last_release)
        ELSE coalesce(issues.last_release, delta.last_release) END,
      priority = delta.priority,
      status = CASE WHEN delta.substatus IS NULL THEN issues.status ELSE 'unresolved' END,
      substatus = coalesce(delta.substatus, issues.substatus),
      substatus_at = CASE WHEN delta.substatus IS NULL THEN issues.substatus_at ELSE ${new Date(nowMs)} END,
      resolved_at = CASE WHEN delta.substatus IS NULL THEN issues.resolved_at END,
      resolution = CASE WHEN delta.substatus IS NULL THEN issues.resolution END,
      archive = CASE WHEN delta.substatus IS NULL THEN issues.archive END,
      archived_until = CASE WHEN delta.substatus IS NULL THEN issues.archived_until END,
      escalates_at_times_seen = CASE WHEN delta.substatus IS NULL THEN issues.escalates_at_times_seen END,
      escalates_before = CASE WHEN delta.substatus IS NULL THEN issues.escalates_before END
    FROM json_to_recordset(${toStorableJson(changes)}::json) AS delta (id bigint, is_newest boolean, substatus text,
      priority text, title text, culprit text, level text, metadata jsonb, first_seen timestamptz,
      last_seen timestamptz, times_seen bigint, first_release text, last_release text)
    WHERE issues.id = delta.id`.execute(transaction);
}
