import { type Kysely, sql } from 'kysely';
import type { Role } from '#storage/ports/accounts.ts';
import type { Invitation, InvitationStore } from '#storage/ports/invitations.ts';
import type { Database } from './schema.ts';

const INVITATIONS_LISTED_MAX = 1_000;

export function createInvitationStore(db: Kysely<Database>): InvitationStore {
  return {
    async list(organizationId) {
      const { rows } = await sql<InvitationRow>`
        SELECT ${COLUMNS} FROM invitations i LEFT JOIN users u ON u.id = i.invited_by
        WHERE i.organization_id = ${organizationId}
        ORDER BY i.id DESC LIMIT ${INVITATIONS_LISTED_MAX}`.execute(db);
      return rows.map(toInvitation);
    },

    async put(input) {
      const { rows } = await sql<InvitationRow>`
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
        SELECT ${COLUMNS} FROM i LEFT JOIN users u ON u.id = i.invited_by`.execute(db);
      return toInvitation(rows[0]!);
    },

    async renew(organizationId, id, { tokenHash, invitedBy, expiresAt }) {
      const { rows } = await sql<InvitationRow>`
        WITH i AS (
          UPDATE invitations
          SET token_hash = ${Buffer.from(tokenHash)}, invited_by = ${invitedBy}, expires_at = ${new Date(expiresAt)}
          WHERE organization_id = ${organizationId} AND id = ${id} RETURNING *
        )
        SELECT ${COLUMNS} FROM i LEFT JOIN users u ON u.id = i.invited_by`.execute(db);
      return rows[0] ? toInvitation(rows[0]) : null;
    },

    async remove(organizationId, id) {
      const { rows } = await sql<InvitationRow>`
        WITH i AS (
          DELETE FROM invitations WHERE organization_id = ${organizationId} AND id = ${id} RETURNING *
        )
        SELECT ${COLUMNS} FROM i LEFT JOIN users u ON u.id = i.invited_by`.execute(db);
      return rows[0] ? toInvitation(rows[0]) : null;
    },

    async find(tokenHash, nowMs) {
      const { rows } = await sql<InvitationRow>`
        SELECT ${COLUMNS} FROM invitations i LEFT JOIN users u ON u.id = i.invited_by
        WHERE i.token_hash = ${Buffer.from(tokenHash)} AND i.expires_at > ${new Date(nowMs)}`.execute(db);
      return rows[0] ? toInvitation(rows[0]) : null;
    },

    accept: (tokenHash, userId, nowMs) =>
      db.transaction().execute(async (transaction) => {
        // Two who open the same address at once: the second finds nothing after the first has deleted.
        const { rows } = await sql<InvitationRow>`
          WITH i AS (
            DELETE FROM invitations AS i
            WHERE token_hash = ${Buffer.from(tokenHash)} AND expires_at > ${new Date(nowMs)}
              AND NOT EXISTS (SELECT FROM memberships m
                WHERE m.organization_id = i.organization_id AND m.user_id = ${userId})
            RETURNING *
          )
          SELECT ${COLUMNS} FROM i LEFT JOIN users u ON u.id = i.invited_by`.execute(transaction);
        if (!rows[0]) return null;
        const invitation = toInvitation(rows[0]);
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

const COLUMNS = sql`i.id, i.organization_id, i.email, i.role, i.team_ids::float8[] AS team_ids, i.created_at,
  i.expires_at, u.id AS inviter_id, u.name AS inviter_name`;

type InvitationRow = {
  id: number;
  organization_id: number;
  email: string;
  role: Role;
  team_ids: number[];
  created_at: Date;
  expires_at: Date;
  inviter_id: string | null;
  inviter_name: string | null;
};

const toInvitation = (row: InvitationRow): Invitation => ({
  id: row.id,
  organizationId: row.organization_id,
  email: row.email,
  role: row.role,
  teamIds: row.team_ids,
  invitedBy: row.inviter_id === null ? null : { id: row.inviter_id, name: row.inviter_name ?? '' },
  createdAt: row.created_at.getTime(),
  expiresAt: row.expires_at.getTime(),
});
