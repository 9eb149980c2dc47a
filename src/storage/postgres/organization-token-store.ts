import { type Kysely, sql } from 'kysely';
import { MINUTE_MS } from '#lib/time.ts';
import type { OrganizationToken, OrganizationTokenStore } from '#storage/ports/organization-tokens.ts';
import type { Database } from './schema.ts';

const TOKENS_LISTED_MAX = 1_000;
/** A token that is used many times a second is noted once a minute. */
const USE_NOTED_EVERY_MS = MINUTE_MS;

export function createOrganizationTokenStore(db: Kysely<Database>): OrganizationTokenStore {
  return {
    async list(organizationId) {
      const { rows } = await sql<TokenRow>`
        SELECT ${COLUMNS} FROM organization_tokens t LEFT JOIN users u ON u.id = t.created_by
        WHERE t.organization_id = ${organizationId} ORDER BY t.id DESC LIMIT ${TOKENS_LISTED_MAX}`.execute(
        db,
      );
      return rows.map(toToken);
    },

    async create({
      organizationId,
      name,
      scopes,
      tokenHash,
      lastCharacters,
      createdBy,
      createdAt,
      expiresAt,
    }) {
      const { rows } = await sql<TokenRow>`
        WITH t AS (
          INSERT INTO organization_tokens
            (organization_id, name, scopes, token_hash, last_characters, created_by, created_at, expires_at)
          VALUES (${organizationId}, ${name}, ${[...scopes]}, ${Buffer.from(tokenHash)}, ${lastCharacters},
            ${createdBy}, ${new Date(createdAt)}, ${expiresAt === null ? null : new Date(expiresAt)})
          RETURNING *
        )
        SELECT ${COLUMNS} FROM t LEFT JOIN users u ON u.id = t.created_by`.execute(db);
      return toToken(rows[0]!);
    },

    async rename(organizationId, id, name) {
      const { rows } = await sql<TokenRow>`
        WITH t AS (
          UPDATE organization_tokens SET name = ${name}
          WHERE organization_id = ${organizationId} AND id = ${id} RETURNING *
        )
        SELECT ${COLUMNS} FROM t LEFT JOIN users u ON u.id = t.created_by`.execute(db);
      return rows[0] ? toToken(rows[0]) : null;
    },

    async remove(organizationId, id) {
      const { rows } = await sql<TokenRow>`
        WITH t AS (
          DELETE FROM organization_tokens WHERE organization_id = ${organizationId} AND id = ${id} RETURNING *
        )
        SELECT ${COLUMNS} FROM t LEFT JOIN users u ON u.id = t.created_by`.execute(db);
      return rows[0] ? toToken(rows[0]) : null;
    },

    async removeAll(organizationId) {
      const { rows } = await sql<TokenRow>`
        WITH t AS (DELETE FROM organization_tokens WHERE organization_id = ${organizationId} RETURNING *)
        SELECT ${COLUMNS} FROM t LEFT JOIN users u ON u.id = t.created_by ORDER BY t.id`.execute(db);
      return rows.map(toToken);
    },

    async find(tokenHash, nowMs) {
      const { rows } = await sql<TokenRow>`
        SELECT ${COLUMNS} FROM organization_tokens t LEFT JOIN users u ON u.id = t.created_by
        WHERE t.token_hash = ${Buffer.from(tokenHash)}
          AND (t.expires_at IS NULL OR t.expires_at > ${new Date(nowMs)})`.execute(db);
      if (!rows[0]) return null;
      const token = toToken(rows[0]);
      if (nowMs - (token.lastUsedAt ?? 0) >= USE_NOTED_EVERY_MS) {
        await sql`
          UPDATE organization_tokens SET last_used_at = ${new Date(nowMs)} WHERE id = ${token.id}`.execute(
          db,
        );
      }
      return token;
    },
  };
}

const COLUMNS = sql`t.id, t.organization_id, t.name, t.scopes, t.last_characters, t.created_at, t.last_used_at, t.expires_at,
  u.id AS creator_id, u.name AS creator_name`;

type TokenRow = {
  id: number;
  organization_id: number;
  name: string;
  scopes: string[];
  last_characters: string;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
  creator_id: string | null;
  creator_name: string | null;
};

const toToken = (row: TokenRow): OrganizationToken => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name,
  scopes: row.scopes,
  lastCharacters: row.last_characters,
  createdBy: row.creator_id === null ? null : { id: row.creator_id, name: row.creator_name ?? '' },
  createdAt: row.created_at.getTime(),
  lastUsedAt: row.last_used_at?.getTime() ?? null,
  expiresAt: row.expires_at?.getTime() ?? null,
});
