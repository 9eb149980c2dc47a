import { sql, type Transaction } from 'kysely';
import { automaticPriority } from '#domain/issues/priority.ts';
import { formatShortId } from '#protocol/short-id.ts';
import type { Database, Row } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';
import { hashKey, type IssueDelta, mergeDeltas } from './issue-delta.ts';
import { type TouchedIssue, textsOf } from './issue-outbox.ts';

/** The issues that the hashes of the deltas are mapped to, by `projectId:hash`. */
export async function findIssueIds(
  transaction: Transaction<Database>,
  deltas: readonly IssueDelta[],
): Promise<Map<string, number>> {
  if (deltas.length === 0) return new Map();
  const wanted = deltas.flatMap(({ projectId, hashes }) => hashes.map((hash) => ({ projectId, hash })));
  const { rows } = await sql<{ project_id: number; hash: string; issue_id: number }>`
    SELECT g.project_id, g.hash, g.issue_id
    FROM unnest(${wanted.map(({ projectId }) => projectId)}::bigint[], ${wanted.map(({ hash }) => hash)}::text[])
      AS wanted (project_id, hash)
    JOIN grouping_hashes g ON g.project_id = wanted.project_id AND g.hash = wanted.hash`.execute(transaction);
  return new Map(rows.map((row) => [hashKey(row.project_id, row.hash), row.issue_id]));
}

type FreshIssue = { shortId: string; delta: IssueDelta };

/** Whose a hash is: a known issue's, by its id, or that of an issue which is still to be inserted. */
type Owner = number | FreshIssue;

/**
 * Maps every hash of the deltas, to a known issue or to a new one, and notes it in `issueIds`; hashes of projects that
 * are gone stay unknown. Answers the new issues.
 */
export async function createIssues(
  transaction: Transaction<Database>,
  incomplete: readonly IssueDelta[],
  issueIds: Map<string, number>,
  nowMs: number,
): Promise<TouchedIssue[]> {
  const projectIds = [...new Set(incomplete.map((delta) => delta.projectId))].sort((a, b) => a - b);
  const { rows: projects } = await sql<ProjectRow>`
    SELECT id, slug, issue_counter FROM projects WHERE id = ANY(${projectIds}::bigint[])
    ORDER BY id FOR NO KEY UPDATE`.execute(transaction);
  // Others may have mapped a hash until we had the lock.
  for (const [key, issueId] of await findIssueIds(transaction, incomplete)) issueIds.set(key, issueId);

  const { fresh, mapped } = chooseOwners(incomplete, issueIds, projects);
  const created = fresh.length === 0 ? [] : await insertIssues(transaction, fresh, projects, nowMs);
  const idOf = new Map<Owner, number>(fresh.map((issue, index) => [issue, created[index]!.issueId]));
  const hashes = mapped.map(({ projectId, hash, owner }) => ({
    projectId,
    hash,
    issueId: typeof owner === 'number' ? owner : idOf.get(owner)!,
  }));
  await mapHashes(transaction, hashes);
  for (const { projectId, hash, issueId } of hashes) issueIds.set(hashKey(projectId, hash), issueId);
  return created;
}

type ProjectRow = Pick<Row<'projects'>, 'id' | 'slug' | 'issue_counter'>;

/** Moves the counters of the projects by their new issues. */
function chooseOwners(
  incomplete: readonly IssueDelta[],
  issueIds: ReadonlyMap<string, number>,
  projects: readonly ProjectRow[],
): { fresh: FreshIssue[]; mapped: { projectId: number; hash: string; owner: Owner }[] } {
  const projectById = new Map(projects.map((project) => [project.id, project]));
  const owners = new Map<string, Owner>(issueIds);
  const fresh: FreshIssue[] = [];
  const mapped: { projectId: number; hash: string; owner: Owner }[] = [];
  for (const delta of incomplete) {
    const { projectId } = delta;
    const project = projectById.get(projectId);
    if (!project) continue;
    const known = delta.hashes.find((hash) => owners.has(hashKey(projectId, hash)));
    let owner = known === undefined ? undefined : owners.get(hashKey(projectId, known));
    if (owner === undefined) {
      project.issue_counter += 1;
      owner = { delta, shortId: formatShortId(project.slug, project.issue_counter) };
      fresh.push(owner);
    } else if (typeof owner !== 'number') {
      owner.delta = mergeDeltas(owner.delta, delta);
    }
    for (const hash of delta.hashes) {
      if (owners.has(hashKey(projectId, hash))) continue;
      owners.set(hashKey(projectId, hash), owner);
      mapped.push({ projectId, hash, owner });
    }
  }
  return { fresh, mapped };
}

async function mapHashes(
  transaction: Transaction<Database>,
  hashes: readonly { projectId: number; hash: string; issueId: number }[],
): Promise<void> {
  if (hashes.length === 0) return;
  await sql`
    INSERT INTO grouping_hashes (project_id, hash, issue_id)
    SELECT * FROM unnest(${hashes.map(({ projectId }) => projectId)}::bigint[],
      ${hashes.map(({ hash }) => hash)}::text[], ${hashes.map(({ issueId }) => issueId)}::bigint[])`.execute(
    transaction,
  );
}

/** In the order given. */
async function insertIssues(
  transaction: Transaction<Database>,
  fresh: readonly FreshIssue[],
  projects: readonly ProjectRow[],
  nowMs: number,
): Promise<TouchedIssue[]> {
  await sql`
    UPDATE projects SET issue_counter = moved.issue_counter, first_event_at = coalesce(first_event_at, ${new Date(nowMs)})
    FROM json_to_recordset(${toStorableJson(projects)}::json) AS moved (id bigint, issue_counter bigint)
    WHERE projects.id = moved.id`.execute(transaction);
  const issues = fresh.map(({ delta, shortId }) => ({
    organization_id: delta.organizationId,
    project_id: delta.projectId,
    short_id: shortId,
    ...textsOf(delta.newest),
    platform: delta.first.platform,
    type: delta.first.type,
    logger: delta.first.logger,
    priority: automaticPriority(delta.newest.level, 'new'),
    first_seen: new Date(delta.firstSeen),
    last_seen: new Date(delta.lastSeen),
    times_seen: delta.count,
    first_release: delta.firstRelease,
    last_release: delta.lastRelease,
  }));
  const { rows } = await sql<{ id: number; project_id: number; short_id: string }>`
    INSERT INTO issues (organization_id, project_id, short_id, title, culprit, level, metadata, platform, type, logger,
      status, substatus, priority, first_seen, last_seen, times_seen, first_release, last_release)
    SELECT organization_id, project_id, short_id, title, culprit, level, metadata, platform, type, logger,
      'unresolved', 'new', priority, first_seen, last_seen, times_seen, first_release, last_release
    FROM json_to_recordset(${toStorableJson(issues)}::json) AS fresh (organization_id bigint, project_id bigint,
      short_id text, title text, culprit text, level text, metadata jsonb, platform text, type text, logger text,
      priority text, first_seen timestamptz, last_seen timestamptz, times_seen bigint, first_release text,
      last_release text)
    RETURNING id, project_id, short_id`.execute(transaction);
  const ids = new Map(rows.map((row) => [hashKey(row.project_id, row.short_id), row.id]));
  return fresh.map(({ delta, shortId }) => ({
    issueId: ids.get(hashKey(delta.projectId, shortId))!,
    shortId,
    delta,
  }));
}
