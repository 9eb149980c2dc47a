import { type Kysely, type RawBuilder, sql } from 'kysely';
import { notFound } from '#lib/errors.ts';
import type { GroupingChangeState } from '#storage/ports/regroup.ts';
import type { ReprocessRun, ReprocessScope, ReprocessStore } from '#storage/ports/reprocess.ts';
import type { Database } from '../schema.ts';
import { toStorableJson, toStorableText } from '../storable-json.ts';
import { insertChange, refuseWhileRunning } from './change-rows.ts';
import { correctSeen } from './correct-seen.ts';
import { lockHashIndex } from './hash-index-lock.ts';

export function createReprocessStore(db: Kysely<Database>): ReprocessStore {
  const find = async (on: Kysely<Database>, organizationId: number, runId: number) => {
    const [run] = await selectRuns(
      on,
      sql`change.organization_id = ${organizationId} AND change.id = ${runId}`,
      1,
    );
    return run ?? null;
  };
  return {
    async begin(organizationId, projectId, scope, userId, nowMs) {
      return await db.transaction().execute(async (transaction) => {
        await lockHashIndex(transaction, projectId);
        await refuseWhileRunning(transaction, projectId);
        const change = { organizationId, projectId, kind: 'reprocess', state: 'scanning', userId } as const;
        const id = await insertChange(transaction, change, nowMs);
        await sql`
          INSERT INTO reprocess_scopes (change_id, kind, name)
          VALUES (${id}, ${scope.kind}, ${toStorableText(nameOf(scope))})`.execute(transaction);
        const run = await find(transaction, organizationId, id);
        if (!run) throw notFound(`There is no run with the number ${id}`);
        return run;
      });
    },

    find: (organizationId, runId) => find(db, organizationId, runId),

    list: (organizationId, projectIds, scope, limit) =>
      selectRuns(
        db,
        sql`change.organization_id = ${organizationId} AND change.project_id = ANY(${projectIds}::bigint[])
          AND scope.kind = ${scope.kind} AND scope.name = ${toStorableText(nameOf(scope))}`,
        limit,
      ),

    async listIssueHashes(projectId, issueId, limit) {
      const { rows } = await sql<{ hash: string }>`
        SELECT hash FROM grouping_hashes WHERE project_id = ${projectId} AND issue_id = ${issueId}
        ORDER BY times_seen DESC, hash LIMIT ${limit}`.execute(db);
      return rows.map(({ hash }) => hash);
    },

    async listTouched(runId, afterIssueId, limit) {
      const { rows } = await sql<{ issue_id: number; hashes: string[] }>`
        SELECT known.issue_id, array_agg(DISTINCT known.hash) AS hashes FROM grouping_hashes known
        WHERE known.issue_id IN (
          SELECT target.issue_id FROM grouping_change_pairs pair
          JOIN grouping_changes change ON change.id = pair.change_id
          JOIN grouping_hashes target ON target.project_id = change.project_id
            AND target.hash IN (pair.from_hash, pair.to_hash)
          WHERE pair.change_id = ${runId} AND pair.phase = 'apply' AND target.issue_id > ${afterIssueId}
        )
        GROUP BY known.issue_id ORDER BY known.issue_id LIMIT ${limit}`.execute(db);
      return rows.map((row) => ({ issueId: row.issue_id, hashes: row.hashes }));
    },

    async describeIssue(issueId, { occurredAt, title, culprit, metadata }) {
      await sql`
        WITH described AS (
          UPDATE issues SET title = ${toStorableText(title)}, culprit = ${toStorableText(culprit)},
            metadata = ${toStorableJson(metadata)}::jsonb
          WHERE id = ${issueId} AND last_seen <= ${new Date(occurredAt)}
            AND (title, culprit, metadata) IS DISTINCT FROM
              (${toStorableText(title)}, ${toStorableText(culprit)}, ${toStorableJson(metadata)}::jsonb)
          RETURNING id, title, culprit, metadata
        )
        UPDATE issue_texts SET content = issue_texts.content || E'\n' || concat_ws(E'\n', described.title,
          described.culprit, described.metadata->>'type', described.metadata->>'value')
        FROM described WHERE issue_texts.issue_id = described.id`.execute(db);
    },

    async listStandIns(projectId, limit) {
      const { rows } = await sql<{ hash: string; stands_for: string }>`
        SELECT hash, stands_for FROM grouping_hashes
        WHERE project_id = ${projectId} AND stands_for IS NOT NULL LIMIT ${limit}`.execute(db);
      return new Map(rows.map((row) => [row.hash, row.stands_for]));
    },

    async countHashes(projectId, hashes) {
      const { rows } = await sql<{ hash: string; times_seen: number }>`
        SELECT hash, times_seen FROM grouping_hashes
        WHERE project_id = ${projectId} AND hash = ANY(${hashes}::text[]) AND times_seen > 0`.execute(db);
      return new Map(rows.map((row) => [row.hash, row.times_seen]));
    },

    correctSeen: (...input) => correctSeen(db, ...input),

    async listUnderWay(runIds) {
      const { rows } = await sql<{ id: number }>`
        SELECT id FROM grouping_changes
        WHERE id = ANY(${runIds}::bigint[]) AND state IN ('scanning', 'moving')`.execute(db);
      return new Set(rows.map(({ id }) => id));
    },
  };
}

type RunRow = {
  id: number;
  project_id: number;
  project_slug: string;
  scope_kind: ReprocessScope['kind'];
  scope_name: string;
  state: GroupingChangeState;
  has_begun: boolean;
  user_id: string | null;
  user_name: string | null;
  created_at: Date;
  finished_at: Date | null;
  events_seen: number;
  events_total: number;
  events_changed: number;
  issues_before: number;
  issues_after: number;
  last_error: string | null;
};

async function selectRuns(
  db: Kysely<Database>,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<readonly ReprocessRun[]> {
  const { rows } = await sql<RunRow>`
    SELECT change.id, change.project_id, projects.slug AS project_slug, scope.kind AS scope_kind,
      scope.name AS scope_name, change.state, change.cursor <> '{}'::jsonb AS has_begun, change.user_id,
      users.name AS user_name, change.created_at, change.finished_at, change.events_seen, change.events_total,
      (SELECT coalesce(sum(events), 0)::bigint FROM grouping_change_pairs pair WHERE pair.change_id = change.id)
        AS events_changed,
      change.issues_before, change.issues_after, change.last_error
    FROM grouping_changes change
    JOIN reprocess_scopes scope ON scope.change_id = change.id
    JOIN projects ON projects.id = change.project_id
    LEFT JOIN users ON users.id = change.user_id
    WHERE ${where} ORDER BY change.id DESC LIMIT ${limit}`.execute(db);
  return rows.map(toRun);
}

const toRun = (row: RunRow): ReprocessRun => ({
  id: row.id,
  projectId: row.project_id,
  projectSlug: row.project_slug,
  scope: scopeOf(row),
  state: stateOf(row),
  user: row.user_id === null ? null : { userId: row.user_id, name: row.user_name ?? '' },
  createdAt: row.created_at.getTime(),
  finishedAt: row.finished_at?.getTime() ?? null,
  eventsSeen: row.events_seen,
  eventsTotal: row.events_total,
  eventsChanged: row.events_changed,
  issuesBefore: row.issues_before,
  issuesAfter: row.issues_after,
  lastError: row.last_error,
});

function stateOf({ state, has_begun: hasBegun }: RunRow): ReprocessRun['state'] {
  switch (state) {
    case 'scanning':
      return hasBegun ? 'scanning' : 'waiting';
    case 'moving':
    case 'cancelled':
      return state;
    // Nobody takes such a run back.
    case 'done':
    case 'undoing':
    case 'undone':
      return 'done';
  }
}

function scopeOf({ scope_kind: kind, scope_name: name }: RunRow): ReprocessScope {
  switch (kind) {
    case 'release':
      return { kind, version: name };
    case 'issue':
      return { kind, issueId: Number(name) };
    case 'bundle':
      return { kind, bundleId: Number(name) };
  }
}

function nameOf(scope: ReprocessScope): string {
  switch (scope.kind) {
    case 'release':
      return scope.version;
    case 'issue':
      return String(scope.issueId);
    case 'bundle':
      return String(scope.bundleId);
  }
}
