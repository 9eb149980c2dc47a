import { type Kysely, sql } from 'kysely';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

/** Why somebody hears of an issue. */
export const SUBSCRIPTION_REASONS = [
  'commented',
  'mentioned',
  'team_mentioned',
  'assigned',
  'bookmarked',
  'chosen',
] as const;
export type SubscriptionReason = (typeof SUBSCRIPTION_REASONS)[number];

export type Subscriber = { userId: string; name: string; reason: SubscriptionReason };

/** Milliseconds since the epoch. */
export type SeenBy = { userId: string; name: string; email: string; seenAt: number };

/** What one user made of an issue. */
export type IssueUserState = {
  isBookmarked: boolean;
  /** null when it was never decided. */
  subscription: { isSubscribed: boolean; reason: SubscriptionReason } | null;
  hasSeen: boolean;
};

/** Bookmarks, subscriptions and who has seen an issue. Source: PostgreSQL. Every call is scoped by organization. */
export function createIssueUserStateStore(db: Kysely<Database>) {
  return {
    async setBookmarked(
      organizationId: number,
      issueIds: readonly number[],
      userId: string,
      isBookmarked: boolean,
    ): Promise<void> {
      const statement = isBookmarked
        ? sql`INSERT INTO issue_bookmarks (issue_id, user_id)
            SELECT id, ${userId} FROM issues ${ofOrganization(organizationId, issueIds)} ON CONFLICT DO NOTHING`
        : sql`DELETE FROM issue_bookmarks WHERE user_id = ${userId}
            AND issue_id IN (SELECT id FROM issues ${ofOrganization(organizationId, issueIds)})`;
      await statement.execute(db);
    },

    /** The user's own choice: it stands against everything that would subscribe. */
    async setSubscribed(
      organizationId: number,
      issueIds: readonly number[],
      userId: string,
      isSubscribed: boolean,
    ): Promise<void> {
      await sql`
        INSERT INTO issue_subscriptions (issue_id, user_id, is_subscribed, reason)
        SELECT id, ${userId}, ${isSubscribed}, 'chosen' FROM issues ${ofOrganization(organizationId, issueIds)}
        ON CONFLICT (issue_id, user_id)
        DO UPDATE SET is_subscribed = excluded.is_subscribed, reason = excluded.reason`.execute(db);
    },

    /** Members of the organization that have not decided yet become subscribed; the first reason stays. */
    async subscribe(
      organizationId: number,
      issueIds: readonly number[],
      userIds: readonly string[],
      reason: SubscriptionReason,
    ): Promise<void> {
      if (issueIds.length === 0 || userIds.length === 0) return;
      await sql`
        INSERT INTO issue_subscriptions (issue_id, user_id, is_subscribed, reason)
        SELECT issues.id, memberships.user_id, true, ${reason} FROM issues
        JOIN memberships ON memberships.organization_id = issues.organization_id
        WHERE issues.organization_id = ${organizationId} AND issues.id = ANY(${issueIds}::bigint[])
          AND memberships.user_id = ANY(${userIds}::text[])
        ON CONFLICT DO NOTHING`.execute(db);
    },

    async setSeen(
      organizationId: number,
      issueIds: readonly number[],
      userId: string,
      hasSeen: boolean,
      atMs: number,
    ): Promise<void> {
      const statement = hasSeen
        ? sql`INSERT INTO issue_seen (issue_id, user_id, seen_at)
            SELECT id, ${userId}, ${new Date(atMs)} FROM issues ${ofOrganization(organizationId, issueIds)}
            ON CONFLICT (issue_id, user_id) DO UPDATE SET seen_at = greatest(issue_seen.seen_at, excluded.seen_at)`
        : sql`DELETE FROM issue_seen WHERE user_id = ${userId}
            AND issue_id IN (SELECT id FROM issues ${ofOrganization(organizationId, issueIds)})`;
      await statement.execute(db);
    },

    /** One entry for each issue of the organization that is asked for. */
    async findUserState(
      organizationId: number,
      issueIds: readonly number[],
      userId: string,
    ): Promise<ReadonlyMap<number, IssueUserState>> {
      const found = await query<IssueUserState & { id: number }>`
        SELECT issues.id, b.issue_id IS NOT NULL AS is_bookmarked, seen.issue_id IS NOT NULL AS has_seen,
          CASE WHEN s.is_subscribed IS NOT NULL AND s.reason IS NOT NULL
            THEN json_build_object('isSubscribed', s.is_subscribed, 'reason', s.reason) END AS subscription
        FROM issues
        LEFT JOIN issue_bookmarks b ON b.issue_id = issues.id AND b.user_id = ${userId}
        LEFT JOIN issue_subscriptions s ON s.issue_id = issues.id AND s.user_id = ${userId}
        LEFT JOIN issue_seen seen ON seen.issue_id = issues.id AND seen.user_id = ${userId}
        WHERE issues.organization_id = ${organizationId} AND issues.id = ANY(${issueIds}::bigint[])`.execute(
        db,
      );
      return new Map(found.map(({ id, ...state }) => [id, state]));
    },

    /** By name, at most `limit`. */
    listSubscribers: (
      organizationId: number,
      issueId: number,
      limit: number,
    ): Promise<readonly Subscriber[]> =>
      query<Subscriber>`
        SELECT s.user_id, users.name, s.reason FROM issue_subscriptions s
        JOIN issues ON issues.id = s.issue_id JOIN users ON users.id = s.user_id
        JOIN memberships ON memberships.user_id = s.user_id
          AND memberships.organization_id = issues.organization_id
        WHERE issues.organization_id = ${organizationId} AND s.issue_id = ${issueId} AND s.is_subscribed
        ORDER BY lower(users.name), users.id LIMIT ${limit}`.execute(db),

    /** Latest first, at most `limit`. */
    listSeenBy: (organizationId: number, issueId: number, limit: number): Promise<readonly SeenBy[]> =>
      query<SeenBy>`
        SELECT s.user_id, users.name, users.email, s.seen_at FROM issue_seen s
        JOIN issues ON issues.id = s.issue_id JOIN users ON users.id = s.user_id
        JOIN memberships ON memberships.user_id = s.user_id AND memberships.organization_id = issues.organization_id
        WHERE issues.organization_id = ${organizationId} AND s.issue_id = ${issueId}
        ORDER BY s.seen_at DESC, s.user_id LIMIT ${limit}`.execute(db),
  };
}

export type IssueUserStateStore = ReturnType<typeof createIssueUserStateStore>;

const ofOrganization = (organizationId: number, issueIds: readonly number[]) =>
  sql`WHERE organization_id = ${organizationId} AND id = ANY(${issueIds}::bigint[])`;
