import { type Kysely, type RawBuilder, sql } from 'kysely';
import { notFound } from '#lib/errors.ts';
import type { GroupingChangeState } from '#product/grouping/grouping-change.ts';
import { CHANGE_USER, insertChange, refuseWhileRunning } from '#product/grouping/store/change-rows.ts';
import { recountIssues } from '#product/grouping/store/dissolve-issues.ts';
import type { EventMetadata } from '#protocol/event.ts';
import type { SeenEvents } from '#storage/ports/reprocess-events.ts';
import { lockHashIndex } from '#storage/sql/hash-index-lock.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson, toStorableText } from '#storage/sql/storable-json.ts';

/** Which stored events uploads are applied to. */
export type ReprocessScope =
  | { kind: 'release'; version: string }
  | { kind: 'issue'; issueId: number }
  /** Events of the bundle's releases; of a bundle without any, those that show no source. */
  | { kind: 'bundle'; bundleId: number };

/** `scanning`: nothing is regrouped yet, may be cancelled; `moving`: issues follow the new frames. */
export type ReprocessState = 'waiting' | 'scanning' | 'moving' | 'done' | 'cancelled';

export type ReprocessRun = {
  /** The number of the change of the grouping that it is. */
  id: number;
  projectId: number;
  projectSlug: string;
  scope: ReprocessScope;
  state: ReprocessState;
  user: { userId: string; name: string } | null;
  /** Milliseconds since the epoch, as all times here. */
  createdAt: number;
  finishedAt: number | null;
  /** Events that were looked at, of so many, and that show other frames now. */
  eventsSeen: number;
  eventsTotal: number;
  eventsChanged: number;
  /** Issues of the events that changed, and what they became; 0 until it is known. */
  issuesBefore: number;
  issuesAfter: number;
  /** What the last try failed with; null when it did not. */
  lastError: string | null;
};

/** Runs of symbolication over stored events. Source: PostgreSQL. */
export function createReprocessStore(db: Kysely<Database>) {
  const find = async (on: Kysely<Database>, organizationId: number, runId: number) => {
    const [run] = await selectRuns(
      on,
      sql`change.organization_id = ${organizationId} AND change.id = ${runId}`,
      1,
    );
    return run ?? null;
  };
  return {
    /** Throws Conflict while stored events of the project are being regrouped or symbolicated. */
    async begin(
      organizationId: number,
      projectId: number,
      scope: ReprocessScope,
      userId: string | null,
      nowMs: number,
    ): Promise<ReprocessRun> {
      return await db.transaction().execute(async (transaction) => {
        await lockHashIndex(transaction, projectId);
        await refuseWhileRunning(transaction, projectId);
        const change = { organizationId, projectId, kind: 'reprocess', state: 'scanning', userId } as const;
        const id = await insertChange(transaction, change, nowMs);
        await sql`
          INSERT INTO reprocess_scopes (change_id, kind, name)
          VALUES (${id}, ${scope.kind}, ${toStorableText(nameOf(scope))})`.execute(transaction);
        const run = await find(transaction, organizationId, id);
        if (!run) throw notFound(`Reprocessing run ${id} not found`);
        return run;
      });
    },

    find: (organizationId: number, runId: number): Promise<ReprocessRun | null> =>
      find(db, organizationId, runId),

    /** Of the scope in any of the projects, newest first. */
    list: (
      organizationId: number,
      projectIds: readonly number[],
      scope: ReprocessScope,
      limit: number,
    ): Promise<readonly ReprocessRun[]> =>
      selectRuns(
        db,
        sql`change.organization_id = ${organizationId} AND change.project_id = ANY(${projectIds}::bigint[])
          AND scope.kind = ${scope.kind} AND scope.name = ${toStorableText(nameOf(scope))}`,
        limit,
      ),

    /** Hashes of an issue of the project; at most `limit`. */
    async listIssueHashes(projectId: number, issueId: number, limit: number): Promise<readonly string[]> {
      const { rows } = await sql<{ hash: string }>`
        SELECT hash FROM grouping_hashes WHERE project_id = ${projectId} AND issue_id = ${issueId}
        ORDER BY times_seen DESC, hash LIMIT ${limit}`.execute(db);
      return rows.map(({ hash }) => hash);
    },

    /** Issues that events of the run left or came to, each with its hashes, by number. */
    listTouched: (
      runId: number,
      afterIssueId: number,
      limit: number,
    ): Promise<readonly { issueId: number; hashes: readonly string[] }[]> =>
      query<{ issueId: number; hashes: string[] }>`
        SELECT known.issue_id, array_agg(DISTINCT known.hash) AS hashes FROM grouping_hashes known
        WHERE known.issue_id IN (
          SELECT target.issue_id FROM grouping_change_pairs pair
          JOIN grouping_changes change ON change.id = pair.change_id
          JOIN grouping_hashes target ON target.project_id = change.project_id
            AND target.hash IN (pair.from_hash, pair.to_hash)
          WHERE pair.change_id = ${runId} AND pair.phase = 'apply' AND target.issue_id > ${afterIssueId}
        )
        GROUP BY known.issue_id ORDER BY known.issue_id LIMIT ${limit}`.execute(db),

    /** Calls the issue as its newest event is called now, unless a newer one came. */
    async describeIssue(
      issueId: number,
      {
        occurredAt,
        title,
        culprit,
        metadata,
      }: { occurredAt: number; title: string; culprit: string; metadata: EventMetadata },
    ): Promise<void> {
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

    /** Hashes of the project that stand for others, by those, since an earlier regroup; at most `limit`. */
    async listStandIns(projectId: number, limit: number): Promise<ReadonlyMap<string, string>> {
      const rows = await query<{ hash: string; standsFor: string }>`
        SELECT hash, stands_for FROM grouping_hashes
        WHERE project_id = ${projectId} AND stands_for IS NOT NULL LIMIT ${limit}`.execute(db);
      return new Map(rows.map((row) => [row.hash, row.standsFor]));
    },

    /** Events that were counted under each; without those that none was. */
    async countHashes(projectId: number, hashes: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const rows = await query<{ hash: string; timesSeen: number }>`
        SELECT hash, times_seen FROM grouping_hashes
        WHERE project_id = ${projectId} AND hash = ANY(${hashes}::text[]) AND times_seen > 0`.execute(db);
      return new Map(rows.map((row) => [row.hash, row.timesSeen]));
    },

    /** Corrects first and last seen of hashes that lost events, unless more than `counted` arrived since. */
    correctSeen: correctSeen.bind(null, db),

    /** Those of the runs that are under way. */
    async listUnderWay(runIds: readonly number[]): Promise<ReadonlySet<number>> {
      const { rows } = await sql<{ id: number }>`
        SELECT id FROM grouping_changes
        WHERE id = ANY(${runIds}::bigint[]) AND state IN ('scanning', 'moving')`.execute(db);
      return new Set(rows.map(({ id }) => id));
    },
  };
}

export type ReprocessStore = ReturnType<typeof createReprocessStore>;

type RunRow = Omit<ReprocessRun, 'scope' | 'state'> & {
  scopeKind: ReprocessScope['kind'];
  scopeName: string;
  state: GroupingChangeState;
  hasBegun: boolean;
};

async function selectRuns(
  db: Kysely<Database>,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<readonly ReprocessRun[]> {
  const rows = await query<RunRow>`
    SELECT change.id, change.project_id, projects.slug AS project_slug, scope.kind AS scope_kind,
      scope.name AS scope_name, change.state, change.cursor <> '{}'::jsonb AS has_begun,
      ${CHANGE_USER} AS user, change.created_at, change.finished_at, change.events_seen, change.events_total,
      (SELECT coalesce(sum(events), 0)::bigint FROM grouping_change_pairs pair WHERE pair.change_id = change.id)
        AS events_changed,
      change.issues_before, change.issues_after, change.last_error
    FROM grouping_changes change
    JOIN reprocess_scopes scope ON scope.change_id = change.id
    JOIN projects ON projects.id = change.project_id
    LEFT JOIN users ON users.id = change.user_id
    WHERE ${where} ORDER BY change.id DESC LIMIT ${limit}`.execute(db);
  return rows.map(({ scopeKind, scopeName, state, hasBegun, ...run }) => ({
    ...run,
    scope: scopeOf(scopeKind, scopeName),
    state: stateOf(state, hasBegun),
  }));
}

function stateOf(state: GroupingChangeState, hasBegun: boolean): ReprocessState {
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

function scopeOf(kind: ReprocessScope['kind'], name: string): ReprocessScope {
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

/** As the port's `correctSeen`. Nobody counts meanwhile, so what was not counted since will not be missed. */
export async function correctSeen(
  db: Kysely<Database>,
  projectId: number,
  seen: readonly (SeenEvents & { counted: number })[],
): Promise<void> {
  if (seen.length === 0) return;
  const rows = seen.map(({ hash, counted, events, firstSeen, lastSeen }) => ({
    hash,
    counted,
    events,
    first_seen: new Date(firstSeen),
    last_seen: new Date(lastSeen),
  }));
  await db.transaction().execute(async (transaction) => {
    await lockHashIndex(transaction, projectId);
    const corrected = await query<{ issueId: number }>`
      UPDATE grouping_hashes known SET last_seen = stored.last_seen,
        first_seen = CASE WHEN known.times_seen <= stored.events THEN stored.first_seen ELSE known.first_seen END
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS stored (hash text, counted bigint, events bigint,
        first_seen timestamptz, last_seen timestamptz)
      WHERE known.project_id = ${projectId} AND known.hash = stored.hash AND known.times_seen = stored.counted
      RETURNING known.issue_id`.execute(transaction);
    await recountIssues(transaction, [...new Set(corrected.map(({ issueId }) => issueId))]);
  });
}
