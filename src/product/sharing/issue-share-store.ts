import { type Kysely, type RawBuilder, sql } from 'kysely';
import { lockIssue, noteActivity } from '#product/issues/store/issue-row.ts';
import { query, userNamed } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

export type IssueShare = {
  issueId: number;
  shortId: string;
  title: string;
  /** null when the user is gone. */
  createdBy: { id: string; name: string } | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
  expiresAt: number;
};

/** Public pages of issues; only the hash of a token is kept. Source: PostgreSQL. */
export function createIssueShareStore(db: Kysely<Database>) {
  return {
    /** Expired ones are none. */
    async find(organizationId: number, issueId: number, nowMs: number): Promise<IssueShare | null> {
      const [share] = await readShares(
        db,
        sql`${isLive(organizationId, nowMs)} AND s.issue_id = ${issueId}`,
        1,
      );
      return share ?? null;
    },

    /** Of an organization, newest first, at most `limit`. */
    list: (organizationId: number, nowMs: number, limit: number): Promise<readonly IssueShare[]> =>
      readShares(db, isLive(organizationId, nowMs), limit),

    /** Which of the issues are shared. */
    async findShared(
      organizationId: number,
      issueIds: readonly number[],
      nowMs: number,
    ): Promise<ReadonlySet<number>> {
      const shared = await query<{ issueId: number }>`
        SELECT s.issue_id FROM issue_shares s JOIN issues ON issues.id = s.issue_id
        JOIN organizations ON organizations.id = issues.organization_id
        WHERE ${isLive(organizationId, nowMs)} AND organizations.allows_sharing
          AND s.issue_id = ANY(${issueIds}::bigint[])`.execute(db);
      return new Set(shared.map(({ issueId }) => issueId));
    },

    /** Takes the place of an earlier share of the issue. null when the organization has no such issue. */
    async put(
      organizationId: number,
      issueId: number,
      { tokenHash, expiresAt }: { tokenHash: Uint8Array; expiresAt: number },
      userId: string | null,
      atMs: number,
    ): Promise<IssueShare | null> {
      return await db.transaction().execute(async (transaction) => {
        const issue = await lockIssue(transaction, organizationId, issueId);
        if (!issue) return null;
        await sql`
          INSERT INTO issue_shares (issue_id, token_hash, created_by, created_at, expires_at)
          VALUES (${issueId}, ${Buffer.from(tokenHash)}, ${userId}, ${new Date(atMs)}, ${new Date(expiresAt)})
          ON CONFLICT (issue_id) DO UPDATE SET token_hash = excluded.token_hash, created_by = excluded.created_by,
            created_at = excluded.created_at, expires_at = excluded.expires_at`.execute(transaction);
        await noteActivity(transaction, issue, { type: 'shared', data: { expiresAt }, userId, atMs });
        const [share] = await readShares(transaction, sql`s.issue_id = ${issueId}`, 1);
        return share ?? null;
      });
    },

    /** False when the issue was not shared. */
    async remove(
      organizationId: number,
      issueId: number,
      userId: string | null,
      atMs: number,
    ): Promise<boolean> {
      return await db.transaction().execute(async (transaction) => {
        const issue = await lockIssue(transaction, organizationId, issueId);
        if (!issue) return false;
        const removed = await query<{ isLive: boolean }>`
          DELETE FROM issue_shares WHERE issue_id = ${issueId}
          RETURNING expires_at > ${new Date(atMs)} AS is_live`.first(transaction);
        if (!removed?.isLive) return false;
        await noteActivity(transaction, issue, { type: 'unshared', data: {}, userId, atMs });
        return true;
      });
    },

    /** What a token opens; null when it is unknown, expired, or its organization switched sharing off. */
    open: (
      tokenHash: Uint8Array,
      nowMs: number,
    ): Promise<{ organizationId: number; issueId: number; expiresAt: number } | null> =>
      query<{ organizationId: number; issueId: number; expiresAt: number }>`
        SELECT issues.organization_id, s.issue_id, s.expires_at FROM issue_shares s
        JOIN issues ON issues.id = s.issue_id JOIN organizations ON organizations.id = issues.organization_id
        WHERE s.token_hash = ${Buffer.from(tokenHash)} AND s.expires_at > ${new Date(nowMs)}
          AND organizations.allows_sharing`.first(db),

    async findAllowed(organizationId: number): Promise<boolean> {
      const organization = await query<{ allowsSharing: boolean }>`
        SELECT allows_sharing FROM organizations WHERE id = ${organizationId}`.first(db);
      return organization?.allowsSharing ?? false;
    },

    /** Switched off, every page of the organization answers that it does not exist; switched on, they are there again. */
    async setAllowed(organizationId: number, isAllowed: boolean): Promise<void> {
      await sql`UPDATE organizations SET allows_sharing = ${isAllowed} WHERE id = ${organizationId}`.execute(
        db,
      );
    },
  };
}

export type IssueShareStore = ReturnType<typeof createIssueShareStore>;

const isLive = (organizationId: number, nowMs: number) =>
  sql`issues.organization_id = ${organizationId} AND s.expires_at > ${new Date(nowMs)}`;

const readShares = (
  db: Kysely<Database>,
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<IssueShare[]> =>
  query<IssueShare>`
    SELECT s.issue_id, issues.short_id, issues.title, ${userNamed('users')} AS created_by, s.created_at, s.expires_at
    FROM issue_shares s JOIN issues ON issues.id = s.issue_id LEFT JOIN users ON users.id = s.created_by
    WHERE ${condition} ORDER BY s.created_at DESC, s.issue_id LIMIT ${limit}`.execute(db);
