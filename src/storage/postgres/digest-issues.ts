import { sql, type Transaction } from 'kysely';
import type { DigestedEvent, Level } from '#protocol/event.ts';
import { formatShortId } from '#protocol/short-id.ts';
import { foldEvents, hashKey, type IssueDelta, mergeDeltas } from './issue-delta.ts';
import type { Database } from './schema.ts';
import { toStorableJson } from './storable-json.ts';

const TEXT_PART_CHARACTERS_MAX = 1_000;

export type AssignedIssues = {
  /** Of each grouping hash of the batch (`projectId:hash`); hashes of projects that are gone are missing. */
  issueIds: ReadonlyMap<string, number>;
  newIssues: number;
  regressions: number;
};

/**
 * Finds or creates the issue of every event, and moves counters, times and texts. Locks are taken in one order by
 * everybody: projects by id, then issues by id. A project's lock is only needed to create issues in it, and then
 * keeps others from creating an issue for the same hash.
 */
export async function assignIssues(
  transaction: Transaction<Database>,
  events: readonly DigestedEvent[],
  nowMs: number,
): Promise<AssignedIssues> {
  const deltas = foldEvents(events);
  const issueIds = await findIssueIds(transaction, deltas);
  const unknown = deltas.filter((delta) => !issueIds.has(keyOf(delta)));
  const created = unknown.length === 0 ? [] : await createIssues(transaction, unknown, issueIds, nowMs);
  const createdIds = new Set(created.map((issue) => issue.issueId));

  const known = new Map<number, IssueDelta>();
  for (const delta of deltas) {
    const issueId = issueIds.get(keyOf(delta));
    if (issueId === undefined || createdIds.has(issueId)) continue;
    const merged = known.get(issueId);
    known.set(issueId, merged ? mergeDeltas(merged, delta) : delta);
  }
  const updated = known.size === 0 ? [] : await updateIssues(transaction, known);
  await writeTexts(transaction, [...created, ...updated.filter((issue) => issue.isNewest)]);
  const regressed = updated.filter((issue) => issue.isRegression);
  await writeNews(transaction, created, regressed, nowMs);
  return { issueIds, newIssues: created.length, regressions: regressed.length };
}

type TouchedIssue = { issueId: number; shortId: string; delta: IssueDelta };
type UpdatedIssue = TouchedIssue & { isNewest: boolean; isRegression: boolean };

const keyOf = (delta: IssueDelta): string => hashKey(delta.projectId, delta.hashes[0]!);

async function findIssueIds(
  transaction: Transaction<Database>,
  deltas: readonly IssueDelta[],
): Promise<Map<string, number>> {
  if (deltas.length === 0) return new Map();
  const { rows } = await sql<{ project_id: number; hash: string; issue_id: number }>`
    SELECT g.project_id, g.hash, g.issue_id
    FROM unnest(${deltas.map((delta) => delta.projectId)}::bigint[], ${deltas.map((delta) => delta.hashes[0])}::text[])
      AS wanted (project_id, hash)
    JOIN grouping_hashes g ON g.project_id = wanted.project_id AND g.hash = wanted.hash`.execute(transaction);
  return new Map(rows.map((row) => [hashKey(row.project_id, row.hash), row.issue_id]));
}

/** Adds what it finds or makes to `issueIds`; hashes of projects that are gone stay unknown. */
async function createIssues(
  transaction: Transaction<Database>,
  unknown: readonly IssueDelta[],
  issueIds: Map<string, number>,
  nowMs: number,
): Promise<TouchedIssue[]> {
  const projectIds = [...new Set(unknown.map((delta) => delta.projectId))].sort((a, b) => a - b);
  const { rows: projects } = await sql<{ id: number; slug: string; issue_counter: number }>`
    SELECT id, slug, issue_counter FROM projects WHERE id = ANY(${projectIds}::bigint[])
    ORDER BY id FOR NO KEY UPDATE`.execute(transaction);
  // Others may have created the issue of a hash until we had the lock.
  for (const [key, issueId] of await findIssueIds(transaction, unknown)) issueIds.set(key, issueId);

  const counters = new Map(projects.map((project) => [project.id, project]));
  const fresh: { shortId: string; delta: IssueDelta }[] = [];
  for (const delta of unknown) {
    const project = counters.get(delta.projectId);
    if (!project || issueIds.has(keyOf(delta))) continue;
    project.issue_counter += 1;
    fresh.push({ delta, shortId: formatShortId(project.slug, project.issue_counter) });
  }
  if (fresh.length === 0) return [];
  await sql`
    UPDATE projects SET issue_counter = moved.issue_counter, first_event_at = coalesce(first_event_at, ${new Date(nowMs)})
    FROM json_to_recordset(${toStorableJson(projects)}::json) AS moved (id bigint, issue_counter bigint)
    WHERE projects.id = moved.id`.execute(transaction);
  return await insertIssues(transaction, fresh, issueIds);
}

async function insertIssues(
  transaction: Transaction<Database>,
  fresh: readonly { shortId: string; delta: IssueDelta }[],
  issueIds: Map<string, number>,
): Promise<TouchedIssue[]> {
  const issues = fresh.map(({ delta, shortId }) => ({
    organization_id: delta.organizationId,
    project_id: delta.projectId,
    short_id: shortId,
    ...textsOf(delta.newest),
    platform: delta.first.platform,
    type: delta.first.type,
    logger: delta.first.logger,
    priority: PRIORITY[delta.first.level],
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
  const created = fresh.map(({ delta, shortId }): TouchedIssue => {
    const issueId = ids.get(hashKey(delta.projectId, shortId))!;
    issueIds.set(keyOf(delta), issueId);
    return { issueId, shortId, delta };
  });
  await sql`
    INSERT INTO grouping_hashes (project_id, hash, issue_id)
    SELECT * FROM unnest(${created.map(({ delta }) => delta.projectId)}::bigint[],
      ${created.map(({ delta }) => delta.hashes[0])}::text[],
      ${created.map(({ issueId }) => issueId)}::bigint[])`.execute(transaction);
  return created;
}

async function updateIssues(
  transaction: Transaction<Database>,
  known: ReadonlyMap<number, IssueDelta>,
): Promise<UpdatedIssue[]> {
  const { rows } = await sql<{ id: number; short_id: string; last_seen: Date; resolved_at: Date | null }>`
    SELECT id, short_id, last_seen, resolved_at FROM issues WHERE id = ANY(${[...known.keys()]}::bigint[])
    ORDER BY id FOR NO KEY UPDATE`.execute(transaction);
  const updated = rows.map((row): UpdatedIssue => {
    const delta = known.get(row.id)!;
    return {
      issueId: row.id,
      shortId: row.short_id,
      delta,
      isNewest: delta.lastSeen >= row.last_seen.getTime(),
      isRegression: row.resolved_at !== null && delta.lastReceivedAt > row.resolved_at.getTime(),
    };
  });
  const changes = updated.map(({ issueId, delta, isNewest, isRegression }) => ({
    id: issueId,
    is_newest: isNewest,
    is_regression: isRegression,
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
      status = CASE WHEN delta.is_regression THEN 'unresolved' ELSE issues.status END,
      substatus = CASE WHEN delta.is_regression THEN 'regressed' ELSE issues.substatus END,
      resolved_at = CASE WHEN delta.is_regression THEN NULL ELSE issues.resolved_at END
    FROM json_to_recordset(${toStorableJson(changes)}::json) AS delta (id bigint, is_newest boolean,
      is_regression boolean, title text, culprit text, level text, metadata jsonb, first_seen timestamptz,
      last_seen timestamptz, times_seen bigint, first_release text, last_release text)
    WHERE issues.id = delta.id`.execute(transaction);
  return updated;
}

/** What free text is searched in: one line per part. */
async function writeTexts(
  transaction: Transaction<Database>,
  touched: readonly TouchedIssue[],
): Promise<void> {
  if (touched.length === 0) return;
  const texts = touched.map(({ issueId, shortId, delta: { newest } }) => ({
    issue_id: issueId,
    content: [
      shortId,
      newest.title,
      newest.culprit,
      newest.message,
      newest.metadata.type ?? '',
      newest.metadata.value ?? '',
    ]
      .filter((part, index, parts) => part !== '' && parts.indexOf(part) === index)
      .map((part) => part.slice(0, TEXT_PART_CHARACTERS_MAX))
      .join('\n'),
  }));
  await sql`
    INSERT INTO issue_texts (issue_id, content)
    SELECT issue_id, content FROM json_to_recordset(${toStorableJson(texts)}::json)
      AS text_of (issue_id bigint, content text)
    ON CONFLICT (issue_id) DO UPDATE SET content = excluded.content
    WHERE issue_texts.content <> excluded.content`.execute(transaction);
}

/** Activities for people, and the outbox for what must be told: both once, since they commit with the position. */
async function writeNews(
  transaction: Transaction<Database>,
  created: readonly TouchedIssue[],
  regressed: readonly TouchedIssue[],
  nowMs: number,
): Promise<void> {
  if (created.length + regressed.length === 0) return;
  const describe = (kind: string, activity: string, at: number, { issueId, delta }: TouchedIssue) => ({
    organization_id: delta.organizationId,
    project_id: delta.projectId,
    issue_id: issueId,
    kind,
    activity,
    event_id: delta.newest.eventId,
    data: { eventId: delta.newest.eventId, release: delta.lastRelease },
    at: new Date(at),
  });
  const news = [
    ...created.map((issue) => describe('first_seen', 'first_seen', issue.delta.firstSeen, issue)),
    ...regressed.map((issue) => describe('regression', 'set_regression', nowMs, issue)),
  ];
  await sql`
    WITH news AS (
      SELECT * FROM json_to_recordset(${toStorableJson(news)}::json) AS row_of (organization_id bigint,
        project_id bigint, issue_id bigint, kind text, activity text, event_id text, data jsonb, at timestamptz)
    ), told AS (
      INSERT INTO outbox (organization_id, project_id, issue_id, kind, event_id, data, created_at)
      SELECT organization_id, project_id, issue_id, kind, event_id, data, ${new Date(nowMs)} FROM news
    )
    INSERT INTO activities (issue_id, type, data, at) SELECT issue_id, activity, data, at FROM news`.execute(
    transaction,
  );
}

const textsOf = (event: DigestedEvent) => ({
  title: event.title,
  culprit: event.culprit,
  level: event.level,
  metadata: event.metadata,
});

const PRIORITY: Record<Level, 'high' | 'medium' | 'low'> = {
  fatal: 'high',
  error: 'high',
  warning: 'medium',
  info: 'low',
  debug: 'low',
};
