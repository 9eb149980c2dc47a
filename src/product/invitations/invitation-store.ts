import { type Kysely, sql } from 'kysely';
import type { Role } from '#domain/people.ts';
import { query, userNamed } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

export type Invitation = {
  /** In one series with memberships. */
  id: number;
  organizationId: number;
  /** In lower case. */
  email: string;
  role: Role;
  teamIds: readonly number[];
  /** null: the operator. */
  invitedBy: { id: string; name: string } | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
  expiresAt: number;
};

export type NewInvitation = {
  organizationId: number;
  email: string;
  role: Role;
  teamIds: readonly number[];
  /** 32 bytes, SHA-256: the token itself is not kept. */
  tokenHash: Uint8Array;
  /** null: the operator. */
  invitedBy: string | null;
  createdAt: number;
  expiresAt: number;
};

const INVITATIONS_LISTED_MAX = 1_000;

/** Who was asked to join. Source: PostgreSQL. */
export function createInvitationStore(db: Kysely<Database>) {
  return {
    /** Newest first, expired ones included. */
    list: (organizationId: number): Promise<readonly Invitation[]> =>
      query<Invitation>`
        SELECT ${COLUMNS} FROM invitations i LEFT JOIN users u ON u.id = i.invited_by
        WHERE i.organization_id = ${organizationId}
        ORDER BY i.id DESC LIMIT ${INVITATIONS_LISTED_MAX}`.execute(db),

    /** In place of an earlier one to the same address, which opens no more. */
    async put(input: NewInvitation): Promise<Invitation> {
      return (await query<Invitation>`
        WITH i AS (
          INSERT INTO invitations
            (organization_id, email, role, team_ids, token_hash, invited_by, created_at, expires_at)
          VALUES (${input.organizationId}, ${input.email}, ${input.role}, ${[...input.teamIds]},
            ${Buffer.from(input.tokenHash)}, ${input.invitedBy}, ${new Date(input.createdAt)},
            ${new Date(input.expiresAt)})
          ON CONFLICT ON CONSTRAINT invitations_email_uidx DO UPDATE
          SET role = excluded.role, team_ids = excluded.team_ids, token_hash = excluded.token_hash,
            invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at
          RETURNING *
        )
        SELECT ${COLUMNS} FROM i LEFT JOIN users u ON u.id = i.invited_by`.first(db))!;
    },

    /** Another token, and time from now; the earlier token opens no more. null when there is no such invitation. */
    renew: (
      organizationId: number,
      id: number,
      {
        tokenHash,
        invitedBy,
        expiresAt,
      }: { tokenHash: Uint8Array; invitedBy: string | null; expiresAt: number },
    ): Promise<Invitation | null> =>
      query<Invitation>`
        WITH i AS (
          UPDATE invitations
          SET token_hash = ${Buffer.from(tokenHash)}, invited_by = ${invitedBy}, expires_at = ${new Date(expiresAt)}
          WHERE organization_id = ${organizationId} AND id = ${id} RETURNING *
        )
        SELECT ${COLUMNS} FROM i LEFT JOIN users u ON u.id = i.invited_by`.first(db),

    /** null when there is no such invitation. */
    remove: (organizationId: number, id: number): Promise<Invitation | null> =>
      query<Invitation>`
        WITH i AS (
          DELETE FROM invitations WHERE organization_id = ${organizationId} AND id = ${id} RETURNING *
        )
        SELECT ${COLUMNS} FROM i LEFT JOIN users u ON u.id = i.invited_by`.first(db),

    /** null when the token is unknown, used, revoked or expired. */
    find: (tokenHash: Uint8Array, nowMs: number): Promise<Invitation | null> =>
      query<Invitation>`
        SELECT ${COLUMNS} FROM invitations i LEFT JOIN users u ON u.id = i.invited_by
        WHERE i.token_hash = ${Buffer.from(tokenHash)} AND i.expires_at > ${new Date(nowMs)}`.first(db),

    /** Uses the invitation up and makes the user a member, in its teams. null as for `find`; also for a member. */
    accept: (tokenHash: Uint8Array, userId: string, nowMs: number): Promise<Invitation | null> =>
      db.transaction().execute(async (transaction) => {
        // Two who open the same address at once: the second finds nothing after the first has deleted.
        const invitation = await query<Invitation>`
          WITH i AS (
            DELETE FROM invitations AS i
            WHERE token_hash = ${Buffer.from(tokenHash)} AND expires_at > ${new Date(nowMs)}
              AND NOT EXISTS (SELECT FROM memberships m
                WHERE m.organization_id = i.organization_id AND m.user_id = ${userId})
            RETURNING *
          )
          SELECT ${COLUMNS} FROM i LEFT JOIN users u ON u.id = i.invited_by`.first(transaction);
        if (!invitation) return null;
        await sql`
          INSERT INTO memberships (organization_id, user_id, role)
          VALUES (${invitation.organizationId}, ${userId}, ${invitation.role})`.execute(transaction);
        await sql`
          INSERT INTO team_members (team_id, user_id)
          SELECT id, ${userId} FROM teams
          WHERE organization_id = ${invitation.organizationId} AND id = ANY (${[...invitation.teamIds]})
          ON CONFLICT DO NOTHING`.execute(transaction);
        return invitation;
      }),
  };
}

export type InvitationStore = ReturnType<typeof createInvitationStore>;

const COLUMNS = sql`i.id, i.organization_id, i.email, i.role, i.team_ids::float8[] AS team_ids, i.created_at,
  i.expires_at, ${userNamed('u')} AS invited_by`;
