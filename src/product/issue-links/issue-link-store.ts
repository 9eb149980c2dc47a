import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { TrackerIssue } from '#delivery/ports/tracker-client.ts';
import { conflict } from '#lib/errors.ts';
import { lockIssue, noteActivity } from '#product/issues/store/issue-row.ts';
import { notifyChanges } from '#storage/sql/notices.ts';
import { query, userNamed } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableText } from '#storage/sql/storable-json.ts';

/** What a tracker that is connected says of an issue of its own. */
export type TrackedIssue = Pick<TrackerIssue, 'key' | 'state' | 'stateName'> & { trackerId: number };

/** Something of another system, by its address. */
export type IssueLink = {
  id: number;
  issueId: number;
  url: string;
  /** As typed, or made of the address. */
  title: string;
  /** null when the user is gone. */
  createdBy: { id: string; name: string } | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** null for an address of which nothing is fetched. */
  tracked: TrackedIssue | null;
};

/** Links to other systems. Source: PostgreSQL. Every call is scoped by organization. */
export function createIssueLinkStore(db: Kysely<Database>) {
  return {
    /** Oldest first. */
    list: (organizationId: number, issueId: number): Promise<readonly IssueLink[]> =>
      readLinks(db, sql`issues.organization_id = ${organizationId} AND l.issue_id = ${issueId}`),

    /**
     * Writes an activity beside it. null when the organization has no such issue, it has `linksMax` links, or the link was
     * removed before and nobody asks for it now (`isByItself`). Throws Conflict when the issue has the link already.
     */
    async add(
      organizationId: number,
      issueId: number,
      {
        url,
        title,
        tracked,
        isByItself,
      }: { url: string; title: string; tracked?: TrackedIssue; isByItself?: boolean },
      userId: string | null,
      atMs: number,
      linksMax: number,
    ): Promise<IssueLink | null> {
      return await db.transaction().execute(async (transaction) => {
        const issue = await lockIssue(transaction, organizationId, issueId);
        if (!issue) return null;
        const present = await readLinks(transaction, sql`l.issue_id = ${issueId}`);
        if (present.some((link) => link.url === url)) {
          throw conflict('The issue is already linked to this URL', 'url');
        }
        if (present.length >= linksMax) return null;
        if (isByItself && (await wasRemoved(transaction, issueId, url))) return null;
        const row = await query<{ id: number }>`
          INSERT INTO issue_links (issue_id, url, title, created_by, created_at, tracker_id, tracker_key, state,
            state_name, checked_at)
          VALUES (${issueId}, ${toStorableText(url)}, ${toStorableText(title)}, ${userId}, ${new Date(atMs)},
            ${tracked?.trackerId ?? null}, ${tracked ? toStorableText(tracked.key) : null}, ${tracked?.state ?? null},
            ${tracked ? toStorableText(tracked.stateName) : null}, ${tracked ? new Date(atMs) : null})
          RETURNING id`.first(transaction);
        await noteActivity(transaction, issue, { type: 'linked', data: { url, title }, userId, atMs });
        const [link] = await readLinks(transaction, sql`l.id = ${row!.id}`);
        return link ?? null;
      });
    },

    /** What the tracker says now, of every issue that is linked to that one. Answers how many links it changed. */
    async noteTracked(
      organizationId: number,
      { trackerId, key, title, state, stateName }: TrackedIssue & { title: string },
      atMs: number,
    ): Promise<number> {
      return await db.transaction().execute(async (transaction) => {
        const linked = await query<{ projectId: number; hasChanged: boolean }>`
          WITH known AS (
            SELECT l.id, issues.project_id,
              (l.title, l.state, l.state_name) IS DISTINCT FROM
                (${toStorableText(title)}::text, ${state}::text, ${toStorableText(stateName)}::text) AS has_changed
            FROM issue_links l JOIN issues ON issues.id = l.issue_id
            WHERE issues.organization_id = ${organizationId} AND l.tracker_id = ${trackerId} AND l.tracker_key = ${key}
          )
          UPDATE issue_links SET title = ${toStorableText(title)}, state = ${state},
            state_name = ${toStorableText(stateName)}, checked_at = ${new Date(atMs)}
          FROM known WHERE issue_links.id = known.id
          RETURNING known.project_id, known.has_changed`.execute(transaction);
        const changed = linked.filter(({ hasChanged }) => hasChanged);
        await notifyChanges(
          transaction,
          changed.map(({ projectId }) => ({ organizationId, projectId })),
        );
        return changed.length;
      });
    },

    /** Of all organizations, open issues of trackers that were looked at before that, the longest ago first. */
    listStale: (
      beforeMs: number,
      limit: number,
    ): Promise<readonly { organizationId: number; trackerId: number; key: string }[]> =>
      query<{ organizationId: number; trackerId: number; key: string }>`
        SELECT trackers.organization_id, l.tracker_id, l.tracker_key AS key
        FROM issue_links l JOIN trackers ON trackers.id = l.tracker_id
        WHERE l.state = 'open' AND l.checked_at < ${new Date(beforeMs)}
        GROUP BY trackers.organization_id, l.tracker_id, l.tracker_key ORDER BY min(l.checked_at) LIMIT ${limit}`.execute(
        db,
      ),

    /** It was looked at, without an answer. */
    async noteChecked(
      organizationId: number,
      { trackerId, key }: { trackerId: number; key: string },
      atMs: number,
    ): Promise<void> {
      await sql`
        UPDATE issue_links SET checked_at = ${new Date(atMs)}
        FROM issues WHERE issues.id = issue_id AND issues.organization_id = ${organizationId}
          AND tracker_id = ${trackerId} AND tracker_key = ${key}`.execute(db);
    },

    /** Writes an activity beside it. False when the issue has no such link. */
    async remove(
      organizationId: number,
      issueId: number,
      linkId: number,
      userId: string | null,
      atMs: number,
    ): Promise<boolean> {
      return await db.transaction().execute(async (transaction) => {
        const issue = await lockIssue(transaction, organizationId, issueId);
        if (!issue) return false;
        const link = await query<{ url: string; title: string }>`
          DELETE FROM issue_links WHERE id = ${linkId} AND issue_id = ${issueId} RETURNING url, title`.first(
          transaction,
        );
        if (!link) return false;
        await noteActivity(transaction, issue, { type: 'unlinked', data: link, userId, atMs });
        return true;
      });
    },
  };
}

export type IssueLinkStore = ReturnType<typeof createIssueLinkStore>;

async function wasRemoved(
  transaction: Transaction<Database>,
  issueId: number,
  url: string,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM activities WHERE issue_id = ${issueId} AND type = 'unlinked' AND data ->> 'url' = ${toStorableText(url)}
    LIMIT 1`.execute(transaction);
  return rows.length > 0;
}

const readLinks = (db: Kysely<Database>, condition: RawBuilder<unknown>): Promise<IssueLink[]> =>
  query<IssueLink>`
    SELECT l.id, l.issue_id, l.url, l.title, ${userNamed('users')} AS created_by, l.created_at,
      CASE WHEN l.tracker_id IS NOT NULL AND l.tracker_key IS NOT NULL AND l.state IS NOT NULL
        THEN json_build_object('trackerId', l.tracker_id, 'key', l.tracker_key, 'state', l.state,
          'stateName', coalesce(l.state_name, l.state)) END AS tracked
    FROM issue_links l JOIN issues ON issues.id = l.issue_id LEFT JOIN users ON users.id = l.created_by
    WHERE ${condition} ORDER BY l.id`.execute(db);
