import { type Kysely, sql, type Transaction } from 'kysely';
import { ROLES, type Role } from '#domain/people.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

/** A member of an organization as its own people see them. */
export type OrganizationMember = {
  /** Of the membership, in one series with invitations. */
  id: number;
  userId: string;
  email: string;
  name: string;
  role: Role;
  hasTwoFactor: boolean;
  /** Milliseconds since the epoch. */
  joinedAt: number;
  /** Within five minutes; null when they never looked at this organization. */
  lastSeenAt: number | null;
  teamIds: readonly number[];
};

/** `last_owner`: nothing changed, for an organization without an owner could not be managed any more. */
export type MemberChange = 'done' | 'unknown' | 'last_owner';

const MEMBERS_MAX = 10_000;
/** Somebody who clicks through pages is noted once in this time. */
const SEEN_NOTED_EVERY_MS = 5 * 60_000;
const SEEN_REMEMBERED_MAX = 10_000;

/** Who is in an organization. Source: PostgreSQL. Every call is scoped by organization. */
export function createMemberStore(db: Kysely<Database>) {
  const notedAt = new Map<string, number>();
  return {
    /** By name. */
    list: (organizationId: number): Promise<readonly OrganizationMember[]> =>
      query<OrganizationMember>`
        SELECT m.id, m.user_id, u.email, u.name, m.role, m.created_at AS joined_at, m.last_seen_at,
          u.two_factor_enabled AS has_two_factor,
          ARRAY(SELECT tm.team_id::float8 FROM team_members tm JOIN teams t ON t.id = tm.team_id
            WHERE tm.user_id = m.user_id AND t.organization_id = m.organization_id ORDER BY tm.team_id) AS team_ids
        FROM memberships m JOIN users u ON u.id = m.user_id
        WHERE m.organization_id = ${organizationId}
        ORDER BY lower(u.name), u.id LIMIT ${MEMBERS_MAX}`.execute(db),

    /** Invitations that they sent with a role above the new one are gone. */
    changeRole: (organizationId: number, userId: string, role: Role): Promise<MemberChange> =>
      keepingAnOwner(db, organizationId, userId, role, async (transaction) => {
        await sql`
          UPDATE memberships SET role = ${role}
          WHERE organization_id = ${organizationId} AND user_id = ${userId}`.execute(transaction);
        await sql`
          DELETE FROM invitations
          WHERE organization_id = ${organizationId} AND invited_by = ${userId}
            AND role = ANY (${ROLES.slice(ROLES.indexOf(role) + 1)})`.execute(transaction);
      }),

    /** Removes the member's tokens, team memberships, invitations, private searches and assignments. */
    remove: (organizationId: number, userId: string): Promise<MemberChange> =>
      keepingAnOwner(db, organizationId, userId, null, async (transaction) => {
        const own = sql`organization_id = ${organizationId} AND user_id = ${userId}`;
        await sql`DELETE FROM memberships WHERE ${own}`.execute(transaction);
        await sql`DELETE FROM api_tokens WHERE ${own}`.execute(transaction);
        await sql`DELETE FROM oauth_grants WHERE ${own}`.execute(transaction);
        await sql`DELETE FROM saved_searches WHERE ${own} AND NOT is_shared`.execute(transaction);
        await sql`
          DELETE FROM saved_search_stars USING saved_searches
          WHERE saved_searches.id = search_id AND saved_searches.organization_id = ${organizationId}
            AND saved_search_stars.user_id = ${userId}`.execute(transaction);
        await sql`
          DELETE FROM invitations
          WHERE organization_id = ${organizationId} AND invited_by = ${userId}`.execute(transaction);
        await sql`
          DELETE FROM team_members USING teams
          WHERE teams.id = team_id AND teams.organization_id = ${organizationId}
            AND user_id = ${userId}`.execute(transaction);
        await sql`
          UPDATE issues SET assignee_user_id = NULL
          WHERE assignee_user_id = ${userId} AND organization_id = ${organizationId}`.execute(transaction);
        for (const marks of ['issue_bookmarks', 'issue_subscriptions', 'issue_seen']) {
          await sql`
            DELETE FROM ${sql.table(marks)} AS marks USING issues
            WHERE issues.id = marks.issue_id AND issues.organization_id = ${organizationId}
              AND marks.user_id = ${userId}`.execute(transaction);
        }
      }),

    async noteSeen(organizationId: number, userId: string, nowMs: number): Promise<void> {
      const key = `${organizationId} ${userId}`;
      if (nowMs - (notedAt.get(key) ?? 0) < SEEN_NOTED_EVERY_MS) return;
      notedAt.delete(key);
      notedAt.set(key, nowMs);
      const [oldest] = notedAt.keys();
      if (notedAt.size > SEEN_REMEMBERED_MAX && oldest !== undefined) notedAt.delete(oldest);
      await sql`
        UPDATE memberships SET last_seen_at = ${new Date(nowMs)}
        WHERE organization_id = ${organizationId} AND user_id = ${userId}`.execute(db);
    },
  };
}

export type MemberStore = ReturnType<typeof createMemberStore>;

/** Makes the change unless no owner would be left; serialized by organization. `role` null for removal. */
async function keepingAnOwner(
  db: Kysely<Database>,
  organizationId: number,
  userId: string,
  role: Role | null,
  change: (transaction: Transaction<Database>) => Promise<void>,
): Promise<MemberChange> {
  return db.transaction().execute(async (transaction) => {
    await sql`SELECT FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`.execute(transaction);
    const current = await query<{ role: Role; owners: number }>`
      SELECT role, (SELECT count(*) FROM memberships o WHERE o.organization_id = m.organization_id
        AND o.role = 'owner') AS owners
      FROM memberships m WHERE organization_id = ${organizationId} AND user_id = ${userId}
    `.first(transaction);
    if (!current) return 'unknown';
    if (current.role === 'owner' && role !== 'owner' && current.owners <= 1) return 'last_owner';
    await change(transaction);
    return 'done';
  });
}
