import { type Kysely, sql } from 'kysely';
import { MINUTE_MS } from '#lib/time.ts';
import type { OauthClient, OauthGrant, OauthStore } from '#storage/ports/oauth.ts';
import type { Database } from './schema.ts';

/** A grant that is used many times a second is noted once a minute. */
const USE_NOTED_EVERY_MS = MINUTE_MS;
const GRANTS_LISTED_MAX = 200;
/** Expired rows that one call deletes at most. */
const FORGOTTEN_AT_ONCE = 200;

export function createOauthStore(db: Kysely<Database>): OauthStore {
  return {
    async addClient({ id, name, redirectUris, createdAt }, unused) {
      await sql`
        DELETE FROM oauth_clients WHERE id IN (
          SELECT u.id FROM (
            SELECT c.id, c.created_at, row_number() OVER (ORDER BY c.created_at DESC) AS place
            FROM oauth_clients c
            WHERE NOT EXISTS (SELECT 1 FROM oauth_grants g WHERE g.client_id = c.id)
          ) u
          WHERE u.created_at < ${new Date(unused.sinceMs)} OR u.place > ${unused.max}
          LIMIT ${FORGOTTEN_AT_ONCE}
        )`.execute(db);
      await sql`
        INSERT INTO oauth_clients (id, name, redirect_uris, created_at)
        VALUES (${id}, ${name}, ${[...redirectUris]}, ${new Date(createdAt)})`.execute(db);
    },

    async findClient(id) {
      const { rows } = await sql<ClientRow>`
        SELECT id, name, redirect_uris, created_at FROM oauth_clients WHERE id = ${id}`.execute(db);
      return rows[0] ? toClient(rows[0]) : null;
    },

    async addGrant({ clientId, userId, organizationId, scopes, codeHash, code, codeExpiresAt, createdAt }) {
      const { rows } = await sql<{ id: number }>`
        INSERT INTO oauth_grants (client_id, user_id, organization_id, scopes, code_hash, code_challenge,
          redirect_uri, code_expires_at, created_at, expires_at)
        VALUES (${clientId}, ${userId}, ${organizationId}, ${[...scopes]}, ${Buffer.from(codeHash)},
          ${code.challenge}, ${code.redirectUri}, ${new Date(codeExpiresAt)}, ${new Date(createdAt)},
          ${new Date(codeExpiresAt)})
        RETURNING id`.execute(db);
      return rows[0]!.id;
    },

    async redeemCode(codeHash, nowMs) {
      const { rows } = await sql<GrantRow & { code_challenge: string; redirect_uri: string }>`
        WITH g AS (
          UPDATE oauth_grants SET code_used_at = ${new Date(nowMs)}
          WHERE code_hash = ${Buffer.from(codeHash)} AND code_used_at IS NULL
            AND code_expires_at > ${new Date(nowMs)}
          RETURNING *
        )
        SELECT ${GRANT_COLUMNS}, g.code_challenge, g.redirect_uri
        FROM g JOIN oauth_clients c ON c.id = g.client_id`.execute(db);
      const [row] = rows;
      if (row) {
        return {
          grant: toGrant(row),
          code: { challenge: row.code_challenge, redirectUri: row.redirect_uri },
        };
      }
      await sql`
        DELETE FROM oauth_grants
        WHERE code_hash = ${Buffer.from(codeHash)} AND code_used_at IS NOT NULL`.execute(db);
      return null;
    },

    async addTokens(grantId, tokens, nowMs) {
      const now = new Date(nowMs);
      return db.transaction().execute(async (transaction) => {
        const { rows } = await sql`
          UPDATE oauth_grants SET expires_at = ${new Date(tokens.refreshExpiresAt)}
          WHERE id = ${grantId} RETURNING id`.execute(transaction);
        if (rows.length === 0) return false;
        await sql`
          INSERT INTO oauth_tokens (token_hash, grant_id, kind, expires_at) VALUES
            (${Buffer.from(tokens.accessHash)}, ${grantId}, 'access', ${new Date(tokens.accessExpiresAt)}),
            (${Buffer.from(tokens.refreshHash)}, ${grantId}, 'refresh', ${new Date(tokens.refreshExpiresAt)})`.execute(
          transaction,
        );
        await sql`
          DELETE FROM oauth_grants o USING oauth_grants g
          WHERE g.id = ${grantId} AND o.id < g.id AND o.client_id = g.client_id AND o.user_id = g.user_id
            AND o.organization_id = g.organization_id`.execute(transaction);
        await sql`
          DELETE FROM oauth_tokens WHERE token_hash IN (
            SELECT token_hash FROM oauth_tokens WHERE expires_at < ${now} LIMIT ${FORGOTTEN_AT_ONCE}
          )`.execute(transaction);
        await sql`
          DELETE FROM oauth_grants WHERE id IN (
            SELECT id FROM oauth_grants WHERE expires_at < ${now} LIMIT ${FORGOTTEN_AT_ONCE}
          )`.execute(transaction);
        return true;
      });
    },

    async redeemRefreshToken(refreshHash, nowMs, graceMs) {
      const hash = Buffer.from(refreshHash);
      const { rows } = await sql<GrantRow & { is_replayed: boolean }>`
        WITH t AS (
          UPDATE oauth_tokens SET used_at = coalesce(used_at, ${new Date(nowMs)})
          WHERE token_hash = ${hash} AND kind = 'refresh' AND expires_at > ${new Date(nowMs)}
          RETURNING grant_id, used_at < ${new Date(nowMs - graceMs)} AS is_replayed
        )
        SELECT ${GRANT_COLUMNS}, t.is_replayed
        FROM t JOIN oauth_grants g ON g.id = t.grant_id JOIN oauth_clients c ON c.id = g.client_id`.execute(
        db,
      );
      const [row] = rows;
      if (!row) return null;
      if (!row.is_replayed) return toGrant(row);
      await sql`DELETE FROM oauth_grants WHERE id = ${row.id}`.execute(db);
      return null;
    },

    async findByAccessToken(accessHash, nowMs) {
      const { rows } = await sql<GrantRow>`
        SELECT ${GRANT_COLUMNS}
        FROM oauth_tokens t
        JOIN oauth_grants g ON g.id = t.grant_id
        JOIN oauth_clients c ON c.id = g.client_id
        WHERE t.token_hash = ${Buffer.from(accessHash)} AND t.kind = 'access'
          AND t.expires_at > ${new Date(nowMs)}`.execute(db);
      if (!rows[0]) return null;
      const grant = toGrant(rows[0]);
      if (nowMs - (grant.lastUsedAt ?? 0) >= USE_NOTED_EVERY_MS) {
        await sql`UPDATE oauth_grants SET last_used_at = ${new Date(nowMs)} WHERE id = ${grant.id}`.execute(
          db,
        );
      }
      return grant;
    },

    async endByToken(tokenHash, clientId) {
      await sql`
        DELETE FROM oauth_grants g USING oauth_tokens t
        WHERE t.token_hash = ${Buffer.from(tokenHash)} AND t.grant_id = g.id
          AND g.client_id = ${clientId}`.execute(db);
    },

    async listGrants(userId, nowMs) {
      const { rows } = await sql<GrantRow>`
        SELECT ${GRANT_COLUMNS} FROM oauth_grants g JOIN oauth_clients c ON c.id = g.client_id
        WHERE g.user_id = ${userId} AND g.code_used_at IS NOT NULL AND g.expires_at > ${new Date(nowMs)}
        ORDER BY g.id DESC LIMIT ${GRANTS_LISTED_MAX}`.execute(db);
      return rows.map(toGrant);
    },

    async endGrant(userId, grantId) {
      const { rows } = await sql`
        DELETE FROM oauth_grants WHERE id = ${grantId} AND user_id = ${userId} RETURNING id`.execute(db);
      return rows.length > 0;
    },

    async endGrants(userId, nowMs) {
      const { rows } = await sql<GrantRow & { is_listed: boolean }>`
        WITH g AS (DELETE FROM oauth_grants WHERE user_id = ${userId} RETURNING *)
        SELECT ${GRANT_COLUMNS}, g.code_used_at IS NOT NULL AND g.expires_at > ${new Date(nowMs)} AS is_listed
        FROM g JOIN oauth_clients c ON c.id = g.client_id ORDER BY g.id`.execute(db);
      return rows.filter((row) => row.is_listed).map(toGrant);
    },

    async endGrantById(grantId) {
      await sql`DELETE FROM oauth_grants WHERE id = ${grantId}`.execute(db);
    },
  };
}

type ClientRow = { id: string; name: string; redirect_uris: string[]; created_at: Date };

const toClient = (row: ClientRow): OauthClient => ({
  id: row.id,
  name: row.name,
  redirectUris: row.redirect_uris,
  createdAt: row.created_at.getTime(),
});

const GRANT_COLUMNS = sql`g.id, g.client_id, c.name AS client_name, g.user_id, g.organization_id, g.scopes,
  g.created_at, g.last_used_at`;

type GrantRow = {
  id: number;
  client_id: string;
  client_name: string;
  user_id: string;
  organization_id: number;
  scopes: string[];
  created_at: Date;
  last_used_at: Date | null;
};

const toGrant = (row: GrantRow): OauthGrant => ({
  id: row.id,
  clientId: row.client_id,
  clientName: row.client_name,
  userId: row.user_id,
  organizationId: row.organization_id,
  scopes: row.scopes,
  createdAt: row.created_at.getTime(),
  lastUsedAt: row.last_used_at?.getTime() ?? null,
});
