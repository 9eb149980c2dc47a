import { hash } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { thresholdsOf } from '#domain/issues/archive-conditions.ts';
import type { Assignee } from '#domain/issues/change-issue.ts';
import type { IssuePriority, StatusState } from '#domain/issues/issue.ts';
import { automaticPriority } from '#domain/issues/priority.ts';
import { formatShortId } from '#protocol/short-id.ts';
import { notifyChanges } from '#storage/sql/notices.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson, toStorableText } from '#storage/sql/storable-json.ts';
import type { IssueRecord } from '../issue-records.ts';

/** A record of an issue, with what it has become here. */
export type PendingIssue = {
  sourceId: string;
  projectId: number;
  record: IssueRecord;
  /** Of its events. */
  hashes: readonly string[];
  /** Issues that those of its hashes belong to for which none was decided, ascending. */
  issueIds: readonly number[];
  /** null until it was decided. */
  issueId: number | null;
  /** Whether that one is there. */
  isHere: boolean;
  /** Hashes of the parts that were applied, and the `hashes` for which the issue was decided. */
  applied: Readonly<Record<string, unknown>>;
};

export type AppliedIssue = {
  state: StatusState | null;
  assignee: Assignee | null;
  /** null to leave it. */
  priority: IssuePriority | null;
  activities: readonly {
    sourceId: string;
    type: string;
    userId: string | null;
    data: object;
    atMs: number;
  }[];
  subscriberIds: readonly string[];
  bookmarkerIds: readonly string[];
  links: readonly { url: string; title: string }[];
  applied: Readonly<Record<string, string>>;
};

const TEXT_CHARACTERS_MAX = 1_000;

/** Issues on their way in: their records wait until their events are stored. Source: PostgreSQL. */
export function createIssueImportStore(db: Kysely<Database>) {
  return {
    noteRecord: async (transferId: number, projectId: number, record: IssueRecord): Promise<void> => {
      await sql`
        INSERT INTO transfer_issues (transfer_id, source_id, project_id, record)
        VALUES (${transferId}, ${record.id}, ${projectId}, ${toStorableJson(record)}::jsonb)
        ON CONFLICT (transfer_id, source_id) DO UPDATE SET record = excluded.record`.execute(db);
    },

    isKnown: async (transferId: number, sourceId: string): Promise<boolean> => {
      const found = await query<{ one: number }>`
        SELECT 1 AS one FROM transfer_issues
        WHERE transfer_id = ${transferId} AND source_id = ${sourceId} AND issue_id IS NOT NULL`.first(db);
      return found !== null;
    },

    /** Hashes that events of the issues have here, in addition to those that are known. */
    async addHashes(
      transferId: number,
      found: readonly { sourceId: string; projectId: number; hash: string }[],
    ): Promise<void> {
      if (found.length === 0) return;
      await sql`
        INSERT INTO transfer_issues AS known (transfer_id, source_id, project_id, hashes)
        SELECT ${transferId}, source_id, project_id, array_agg(DISTINCT hash)
        FROM json_to_recordset(${toStorableJson(
          found.map((one) => ({
            source_id: one.sourceId,
            project_id: one.projectId,
            hash: one.hash,
          })),
        )}::json) AS found (source_id text, project_id bigint, hash text)
        GROUP BY source_id, project_id
        ON CONFLICT (transfer_id, source_id) DO UPDATE SET hashes =
          ARRAY(SELECT DISTINCT unnest(known.hashes || excluded.hashes) ORDER BY 1)`.execute(db);
    },

    /** In an order in which the one that counts comes last where several have become one: what is open counts. */
    list: (
      transferId: number,
      after: { rank: number; sourceId: string } | null,
      limit: number,
    ): Promise<readonly (PendingIssue & { rank: number })[]> =>
      query<PendingIssue & { rank: number }>`
        SELECT * FROM (
          SELECT t.source_id, t.project_id, t.record, t.hashes, t.issue_id, t.applied,
            ARRAY(SELECT DISTINCT g.issue_id::float8 FROM grouping_hashes g
              WHERE g.project_id = t.project_id AND g.hash = ANY(t.hashes)
                AND NOT coalesce(t.applied -> 'hashes' @> to_jsonb(g.hash), false) ORDER BY 1) AS issue_ids,
            EXISTS (SELECT FROM issues WHERE issues.id = t.issue_id) AS is_here,
            CASE t.record ->> 'status' WHEN 'archived' THEN 0 WHEN 'resolved' THEN 1 ELSE 2 END AS rank
          FROM transfer_issues t WHERE t.transfer_id = ${transferId} AND t.record IS NOT NULL
        ) pending
        WHERE ${after === null ? sql`true` : sql`(rank, source_id) > (${after.rank}, ${after.sourceId})`}
        ORDER BY rank, source_id LIMIT ${limit}`.execute(db),

    /** Where issues were merged into others, those are meant. */
    followMerges: async (transferId: number): Promise<void> => {
      await sql`
        UPDATE transfer_issues SET issue_id = redirect.issue_id FROM issue_redirects redirect
        WHERE transfer_id = ${transferId} AND redirect.old_issue_id = transfer_issues.issue_id`.execute(db);
    },

    /** For the hashes that it has by now: where people split them off later, they stay. */
    setIssue: async (transferId: number, sourceId: string, issueId: number): Promise<void> => {
      await sql`
        UPDATE transfer_issues
        SET issue_id = ${issueId}, applied = applied || jsonb_build_object('hashes', to_jsonb(hashes))
        WHERE transfer_id = ${transferId} AND source_id = ${sourceId}`.execute(db);
    },

    /** Whether events of another issue of the source have one of the hashes. */
    async isShared(
      transferId: number,
      { sourceId, projectId, hashes }: Pick<PendingIssue, 'sourceId' | 'projectId' | 'hashes'>,
    ): Promise<boolean> {
      const found = await query<{ one: number }>`
        SELECT 1 AS one FROM transfer_issues
        WHERE transfer_id = ${transferId} AND source_id <> ${sourceId} AND project_id = ${projectId}
          AND hashes && ${hashes}::text[] LIMIT 1`.first(db);
      return found !== null;
    },

    /** Makes and notes an issue that nothing is stored of but its record; false when the project is gone. */
    create: (
      organizationId: number,
      transferId: number,
      pending: Pick<PendingIssue, 'projectId' | 'record'>,
    ): Promise<boolean> =>
      db
        .transaction()
        .execute((transaction) => createIssue(transaction, organizationId, transferId, pending)),

    /**
     * Counts and times of the issues are at least those that the source tells; what is not stored here counts to one of the
     * issue's hashes, so that merging and regrouping keep it.
     */
    async raiseCounts(organizationId: number, transferId: number): Promise<void> {
      await sql`
        WITH told AS (
          SELECT issue_id, sum((record ->> 'timesSeen')::bigint) AS times_seen,
            min((record ->> 'firstSeen')::timestamptz) AS first_seen, max((record ->> 'lastSeen')::timestamptz) AS last_seen
          FROM transfer_issues WHERE transfer_id = ${transferId} AND record IS NOT NULL AND issue_id IS NOT NULL
          GROUP BY issue_id
        ), raised AS (
          SELECT issues.id, greatest(told.times_seen - issues.times_seen, 0) AS more, told.first_seen, told.last_seen
          FROM told JOIN issues ON issues.id = told.issue_id AND issues.organization_id = ${organizationId}
          WHERE told.times_seen > issues.times_seen OR told.first_seen < issues.first_seen
            OR told.last_seen > issues.last_seen
          ORDER BY issues.id FOR NO KEY UPDATE OF issues
        ), hashes AS (
          UPDATE grouping_hashes SET times_seen = grouping_hashes.times_seen + raised.more,
            first_seen = least(grouping_hashes.first_seen, raised.first_seen),
            last_seen = greatest(grouping_hashes.last_seen, raised.last_seen)
          FROM raised WHERE grouping_hashes.issue_id = raised.id
            AND grouping_hashes.hash = (SELECT min(hash) FROM grouping_hashes g WHERE g.issue_id = raised.id)
        )
        UPDATE issues SET times_seen = issues.times_seen + raised.more,
          first_seen = least(issues.first_seen, raised.first_seen),
          last_seen = greatest(issues.last_seen, raised.last_seen)
        FROM raised WHERE issues.id = raised.id`.execute(db);
    },

    /** One transaction; what was noted of the record before is not done again. */
    async apply(
      organizationId: number,
      transferId: number,
      issue: { sourceId: string; issueId: number; projectId: number },
      change: AppliedIssue,
    ): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const here = await query<{ id: number }>`
          SELECT id FROM issues WHERE id = ${issue.issueId} AND organization_id = ${organizationId}
          FOR NO KEY UPDATE`.execute(transaction);
        // Deleted here since it was imported: nobody wants it back.
        if (here.length === 0) return;
        if (change.state) await writeState(transaction, organizationId, issue.issueId, change.state);
        if (change.assignee) {
          const { assigneeUserId, assigneeTeamId } = change.assignee;
          await sql`
            UPDATE issues SET assignee_user_id = ${assigneeUserId}, assignee_team_id = ${assigneeTeamId}
            WHERE id = ${issue.issueId} AND organization_id = ${organizationId}`.execute(transaction);
        }
        if (change.priority) {
          await sql`
            UPDATE issues SET priority = ${change.priority}, priority_locked_at = coalesce(priority_locked_at, last_seen)
            WHERE id = ${issue.issueId} AND organization_id = ${organizationId}`.execute(transaction);
        }
        await writeActivities(transaction, transferId, issue, change.activities);
        await writePeople(transaction, issue.issueId, change);
        await sql`
          INSERT INTO issue_links (issue_id, url, title, created_at)
          SELECT ${issue.issueId}, url, title, now()
          FROM json_to_recordset(${toStorableJson(change.links)}::json) AS link (url text, title text)
          ON CONFLICT DO NOTHING`.execute(transaction);
        await sql`
          UPDATE transfer_issues SET applied = applied || ${toStorableJson(change.applied)}::jsonb
          WHERE transfer_id = ${transferId} AND source_id = ${issue.sourceId}`.execute(transaction);
        await notifyChanges(transaction, [{ organizationId, projectId: issue.projectId }]);
      });
    },

    renameIssues: (organizationId: number, transferId: number): Promise<number> =>
      db.transaction().execute((transaction) => renameIssues(transaction, organizationId, transferId)),
  };
}

export type IssueImportStore = ReturnType<typeof createIssueImportStore>;

async function createIssue(
  transaction: Transaction<Database>,
  organizationId: number,
  transferId: number,
  { projectId, record }: Pick<PendingIssue, 'projectId' | 'record'>,
): Promise<boolean> {
  const project = await query<{ slug: string; issueCounter: number }>`
    UPDATE projects SET issue_counter = issue_counter + 1, first_event_at = coalesce(first_event_at, now())
    WHERE id = ${projectId} AND organization_id = ${organizationId} RETURNING slug, issue_counter`.first(
    transaction,
  );
  if (!project) return false;
  const shortId = formatShortId(project.slug, project.issueCounter);
  const row = await query<{ id: number }>`
    INSERT INTO issues (organization_id, project_id, short_id, title, culprit, level, metadata, platform, type, logger,
      status, substatus, priority, first_seen, last_seen, times_seen, first_release, last_release)
    VALUES (${organizationId}, ${projectId}, ${shortId}, ${toStorableText(record.title)},
      ${toStorableText(record.culprit)}, ${record.level}, ${toStorableJson(record.metadata)}::jsonb,
      ${toStorableText(record.platform ?? 'other')}, ${record.type}, ${record.logger && toStorableText(record.logger)},
      'unresolved', 'new', ${automaticPriority(record.level, 'new')}, ${record.firstSeen}::timestamptz,
      ${record.lastSeen}::timestamptz, ${record.timesSeen}, ${record.firstRelease}, ${record.lastRelease})
    RETURNING id`.first(transaction);
  const issueId = row!.id;
  const own = hash('md5', `transfer:${transferId}:${record.id}`);
  // Of the same version of Errata the hashes mean the same: its next event finds the issue by one of them.
  const wanted = record.hashes.filter((each) => /^[0-9a-f]{32}$/.test(each));
  await sql`
    INSERT INTO grouping_hashes (project_id, hash, issue_id, times_seen, first_seen, last_seen)
    SELECT ${projectId}, hash, ${issueId}, CASE WHEN hash = ${own} THEN ${record.timesSeen}::bigint ELSE 0 END,
      ${record.firstSeen}::timestamptz, ${record.lastSeen}::timestamptz
    FROM unnest(${[own, ...wanted]}::text[]) AS hash ON CONFLICT DO NOTHING`.execute(transaction);
  // Events of it that come later lead to an issue of their own, which is merged into this one.
  await sql`
    UPDATE transfer_issues SET issue_id = ${issueId}, hashes = array_append(hashes, ${own}),
      applied = applied || jsonb_build_object('hashes', to_jsonb(array_append(hashes, ${own})))
    WHERE transfer_id = ${transferId} AND source_id = ${record.id}`.execute(transaction);
  const content = [shortId, record.title, record.culprit].map((part) => part.slice(0, TEXT_CHARACTERS_MAX));
  await sql`
    INSERT INTO issue_texts (issue_id, content) VALUES (${issueId}, ${toStorableText(content.join('\n'))})`.execute(
    transaction,
  );
  return true;
}

async function writeState(
  transaction: Transaction<Database>,
  organizationId: number,
  issueId: number,
  state: StatusState,
): Promise<void> {
  const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms));
  const { untilMs, escalatesAtTimesSeen } = thresholdsOf(state.archive);
  await sql`
    UPDATE issues SET status = ${state.status}, substatus = ${state.substatus},
      substatus_at = ${dateOf(state.substatusAt)}::timestamptz, resolved_at = ${dateOf(state.resolvedAt)}::timestamptz,
      resolution = ${state.resolution && toStorableJson(state.resolution)}::jsonb,
      archive = ${state.archive && toStorableJson(state.archive)}::jsonb,
      archived_until = ${dateOf(untilMs)}::timestamptz, escalates_at_times_seen = ${escalatesAtTimesSeen}::bigint,
      escalates_before = NULL
    WHERE id = ${issueId} AND organization_id = ${organizationId}`.execute(transaction);
}

async function writeActivities(
  transaction: Transaction<Database>,
  transferId: number,
  { sourceId, issueId }: { sourceId: string; issueId: number },
  activities: AppliedIssue['activities'],
): Promise<void> {
  const given = activities.map(({ sourceId: id, userId, atMs, type, data }) => ({
    key: hash('sha256', JSON.stringify([sourceId, id])),
    type,
    user_id: userId,
    data,
    at: new Date(atMs),
  }));
  const noted = await query<{ key: string }>`
    INSERT INTO transfer_items (transfer_id, kind, source_id)
    SELECT ${transferId}, 'activity', key FROM unnest(${given.map(({ key }) => key)}::text[]) AS key
    ON CONFLICT DO NOTHING RETURNING source_id AS key`.execute(transaction);
  const fresh = new Set(noted.map(({ key }) => key));
  const rows = given.filter(({ key }) => fresh.has(key));
  await namePeople(
    transaction,
    issueId,
    given.filter(({ key }) => !fresh.has(key)),
  );
  const first = rows.find(({ type }) => type === 'first_seen');
  if (first) {
    // Digest wrote one with the first event that came here.
    await sql`
      DELETE FROM activities WHERE issue_id = ${issueId} AND type = 'first_seen'`.execute(transaction);
  }
  const written = await query<{ id: number }>`
    INSERT INTO activities (issue_id, type, user_id, data, at)
    SELECT ${issueId}, type, user_id, data, at
    FROM json_to_recordset(${toStorableJson(rows)}::json) AS given (type text, user_id text, data jsonb, at timestamptz)
    ORDER BY at RETURNING id`.execute(transaction);
  // It is history: before anybody could be told of it, it is no news any more.
  await sql`
    DELETE FROM activity_news WHERE activity_id = ANY(${written.map(({ id }) => id)}::bigint[])`.execute(
    transaction,
  );
}

/**
 * Gives what people did who have joined since it was imported to them: their comments begin with their name until then. A comment that
 * was changed here is somebody's already, and stays.
 */
async function namePeople(
  transaction: Transaction<Database>,
  issueId: number,
  known: readonly { type: string; user_id: string | null; data: unknown; at: Date }[],
): Promise<void> {
  await sql`
    UPDATE activities SET user_id = given.user_id, data = given.data
    FROM json_to_recordset(${toStorableJson(known)}::json)
      AS given (type text, user_id text, data jsonb, at timestamptz)
    WHERE activities.issue_id = ${issueId} AND activities.type = given.type AND activities.at = given.at
      AND CASE given.type
        WHEN 'note' THEN activities.user_id IS NULL AND given.user_id IS NOT NULL
          AND right(activities.data ->> 'text', length(given.data ->> 'text')) = given.data ->> 'text'
        WHEN 'assigned' THEN coalesce(activities.user_id, given.user_id) IS NOT DISTINCT FROM given.user_id
          AND activities.data ->> 'assigneeUserId' IS NULL
        ELSE activities.user_id IS NULL AND given.user_id IS NOT NULL END`.execute(transaction);
}

async function writePeople(
  transaction: Transaction<Database>,
  issueId: number,
  { subscriberIds, bookmarkerIds }: Pick<AppliedIssue, 'subscriberIds' | 'bookmarkerIds'>,
): Promise<void> {
  await sql`
    INSERT INTO issue_subscriptions (issue_id, user_id, is_subscribed, reason)
    SELECT ${issueId}, id, true, 'subscribed' FROM unnest(${subscriberIds}::text[]) AS id
    ON CONFLICT DO NOTHING`.execute(transaction);
  await sql`
    INSERT INTO issue_bookmarks (issue_id, user_id)
    SELECT ${issueId}, id FROM unnest(${bookmarkerIds}::text[]) AS id ON CONFLICT DO NOTHING`.execute(
    transaction,
  );
}

/** Gives issues the short IDs that they had, where nothing else has them. Answers how many got theirs. */
async function renameIssues(
  transaction: Transaction<Database>,
  organizationId: number,
  transferId: number,
): Promise<number> {
  const wanted = await query<{ id: number; projectId: number; slug: string; shortId: string }>`
    SELECT DISTINCT ON (issues.id) issues.id, issues.project_id, projects.slug, t.record ->> 'shortId' AS short_id
    FROM transfer_issues t JOIN issues ON issues.id = t.issue_id JOIN projects ON projects.id = issues.project_id
    WHERE t.transfer_id = ${transferId} AND issues.organization_id = ${organizationId}
      AND t.record ->> 'shortId' <> issues.short_id
      AND NOT EXISTS (SELECT FROM transfer_issues o WHERE o.transfer_id = t.transfer_id AND o.issue_id = issues.id
        AND o.record ->> 'shortId' = issues.short_id)
      AND NOT EXISTS (SELECT FROM issue_redirects r WHERE r.organization_id = issues.organization_id
        AND r.short_id = t.record ->> 'shortId')
      AND NOT EXISTS (SELECT FROM issues other WHERE other.organization_id = issues.organization_id
        AND other.short_id = t.record ->> 'shortId' AND NOT EXISTS (SELECT FROM transfer_issues o
          WHERE o.transfer_id = t.transfer_id AND o.issue_id = other.id
            AND o.record ->> 'shortId' <> other.short_id))
    ORDER BY issues.id, t.source_id`.execute(transaction);
  const distinct = [...new Map(wanted.map((one) => [one.shortId, one])).values()];
  if (distinct.length === 0) return 0;
  const ids = distinct.map(({ id }) => id);
  const names = distinct.map(({ shortId }) => toStorableText(shortId));
  await sql`UPDATE issues SET short_id = '~' || id WHERE id = ANY(${ids}::bigint[])`.execute(transaction);
  await sql`
    UPDATE issues SET short_id = given.name
    FROM unnest(${ids}::bigint[], ${names}::text[]) AS given (id, name)
    WHERE issues.id = given.id
      AND NOT EXISTS (SELECT FROM issues other WHERE other.organization_id = issues.organization_id
        AND other.short_id = given.name)`.execute(transaction);
  await restoreUnnamed(transaction, ids);
  await sql`
    UPDATE issue_texts SET content = issues.short_id || substr(content, length(split_part(content, E'\n', 1)) + 1)
    FROM issues WHERE issues.id = issue_texts.issue_id AND issues.id = ANY(${ids}::bigint[])`.execute(
    transaction,
  );
  for (const [projectId, slug] of new Map(distinct.map((one) => [one.projectId, one.slug]))) {
    const counters = distinct
      .filter((one) => one.projectId === projectId)
      .map(({ shortId }) => counterOf(slug, shortId));
    await sql`
      UPDATE projects SET issue_counter = greatest(issue_counter, ${Math.max(0, ...counters)})
      WHERE id = ${projectId}`.execute(transaction);
  }
  return distinct.length;
}

/** Where two wanted the same after all, the second gets a new one. */
async function restoreUnnamed(transaction: Transaction<Database>, ids: readonly number[]): Promise<void> {
  const unnamed = await query<{ id: number; projectId: number }>`
    SELECT id, project_id FROM issues WHERE id = ANY(${ids}::bigint[]) AND short_id = '~' || id`.execute(
    transaction,
  );
  for (const { id, projectId } of unnamed) {
    const project = await query<{ slug: string; issueCounter: number }>`
      UPDATE projects SET issue_counter = issue_counter + 1 WHERE id = ${projectId} RETURNING slug, issue_counter`.first(
      transaction,
    );
    if (!project) continue;
    await sql`
      UPDATE issues SET short_id = ${formatShortId(project.slug, project.issueCounter)} WHERE id = ${id}`.execute(
      transaction,
    );
  }
}

/** How far a project's counter must be for a short ID of its own not to come again; 0 for one that is not its own. */
function counterOf(slug: string, shortId: string): number {
  const prefix = `${slug.toUpperCase()}-`;
  if (!shortId.startsWith(prefix)) return 0;
  const counter = parseCounter(shortId.slice(prefix.length));
  return counter !== null && formatShortId(slug, counter) === shortId ? counter : 0;
}

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** null for what no counter is written like; at most 8 digits, which are 40 bits. */
function parseCounter(text: string): number | null {
  if (text.length === 0 || text.length > 8) return null;
  let counter = 0;
  for (const digit of text) {
    const value = DIGITS.indexOf(digit);
    if (value < 0) return null;
    counter = counter * 32 + value;
  }
  return counter;
}
