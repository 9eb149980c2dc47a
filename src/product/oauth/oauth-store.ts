import { type Kysely, sql } from 'kysely';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

/** A program that registered itself. Its name is what it says of itself. */
export type OauthClient = {
  id: string;
  name: string;
  /** Where people may be sent back to; never empty. */
  redirectUris: readonly string[];
  /** Milliseconds since the epoch. */
  createdAt: number;
};

/** What a person allowed a program. */
export type OauthGrant = {
  id: number;
  clientId: string;
  clientName: string;
  userId: string;
  organizationId: number;
  scopes: readonly string[];
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** null: never used. */
  lastUsedAt: number | null;
};

/** What the exchange of a code must fit. */
export type OauthCode = {
  /** SHA-256 of the verifier in base64url, as RFC 7636 has it. */
  challenge: string;
  redirectUri: string;
};

/** SHA-256 of tokens, and when they end (milliseconds since the epoch). */
export type OauthTokenPair = {
  accessHash: Uint8Array;
  accessExpiresAt: number;
  refreshHash: Uint8Array;
  refreshExpiresAt: number;
};

/** A grant that is used many times a second is noted once a minute. */
const USE_NOTED_EVERY_MS = 60_000;
const GRANTS_LISTED_MAX = 200;
/** Expired rows that one call deletes at most. */
const FORGOTTEN_AT_ONCE = 200;

/** Programs that act for people, by OAuth. Source: PostgreSQL. What has expired is as good as gone, and deleted by and by. */
export function createOauthStore(db: Kysely<Database>) {
  return {
    /** Of clients that nobody allowed anything, those go that came before `sinceMs`, and the oldest beyond `max`. */
    async addClient(
      { id, name, redirectUris, createdAt }: OauthClient,
      unused: { sinceMs: number; max: number },
    ): Promise<void> {
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

    findClient: (id: string): Promise<OauthClient | null> =>
      query<OauthClient>`
        SELECT id, name, redirect_uris, created_at FROM oauth_clients WHERE id = ${id}`.first(db),

    async addGrant(grant: {
      clientId: string;
      userId: string;
      organizationId: number;
      scopes: readonly string[];
      codeHash: Uint8Array;
      code: OauthCode;
      codeExpiresAt: number;
      createdAt: number;
    }): Promise<number> {
      const row = await query<{ id: number }>`
        INSERT INTO oauth_grants (client_id, user_id, organization_id, scopes, code_hash, code_challenge,
          redirect_uri, code_expires_at, created_at, expires_at)
        VALUES (${grant.clientId}, ${grant.userId}, ${grant.organizationId}, ${[...grant.scopes]},
          ${Buffer.from(grant.codeHash)}, ${grant.code.challenge}, ${grant.code.redirectUri},
          ${new Date(grant.codeExpiresAt)}, ${new Date(grant.createdAt)}, ${new Date(grant.codeExpiresAt)})
        RETURNING id`.first(db);
      return row!.id;
    },

    /** Redeems a code once. null when unknown or expired, and when it was used before, which also ends its grant. */
    async redeemCode(
      codeHash: Uint8Array,
      nowMs: number,
    ): Promise<{ grant: OauthGrant; code: OauthCode } | null> {
      const row = await query<OauthGrant & { codeChallenge: string; redirectUri: string }>`
        WITH g AS (
          UPDATE oauth_grants SET code_used_at = ${new Date(nowMs)}
          WHERE code_hash = ${Buffer.from(codeHash)} AND code_used_at IS NULL
            AND code_expires_at > ${new Date(nowMs)}
          RETURNING *
        )
        SELECT ${GRANT_COLUMNS}, g.code_challenge, g.redirect_uri
        FROM g JOIN oauth_clients c ON c.id = g.client_id`.first(db);
      if (row) {
        const { codeChallenge: challenge, redirectUri, ...grant } = row;
        return { grant, code: { challenge, redirectUri } };
      }
      await sql`
        DELETE FROM oauth_grants
        WHERE code_hash = ${Buffer.from(codeHash)} AND code_used_at IS NOT NULL`.execute(db);
      return null;
    },

    /** Adds tokens and ends earlier grants of the program. False when the grant has ended meanwhile. */
    async addTokens(grantId: number, tokens: OauthTokenPair, nowMs: number): Promise<boolean> {
      const now = new Date(nowMs);
      return db.transaction().execute(async (transaction) => {
        const renewed = await affectedRows`
          UPDATE oauth_grants SET expires_at = ${new Date(tokens.refreshExpiresAt)}
          WHERE id = ${grantId}`.execute(transaction);
        if (renewed === 0) return false;
        await sql`
          INSERT INTO oauth_tokens (token_hash, grant_id, kind, expires_at) VALUES
            (${Buffer.from(tokens.accessHash)}, ${grantId}, 'access', ${new Date(tokens.accessExpiresAt)}),
            (${Buffer.from(tokens.refreshHash)}, ${grantId}, 'refresh', ${new Date(tokens.refreshExpiresAt)})
        `.execute(transaction);
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

    /** Redeems a refresh token. null when unknown or expired, or reused after `graceMs`, which ends its grant. */
    async redeemRefreshToken(
      refreshHash: Uint8Array,
      nowMs: number,
      graceMs: number,
    ): Promise<OauthGrant | null> {
      const hash = Buffer.from(refreshHash);
      const row = await query<OauthGrant & { isReplayed: boolean }>`
        WITH t AS (
          UPDATE oauth_tokens SET used_at = coalesce(used_at, ${new Date(nowMs)})
          WHERE token_hash = ${hash} AND kind = 'refresh' AND expires_at > ${new Date(nowMs)}
          RETURNING grant_id, used_at < ${new Date(nowMs - graceMs)} AS is_replayed
        )
        SELECT ${GRANT_COLUMNS}, t.is_replayed
        FROM t JOIN oauth_grants g ON g.id = t.grant_id JOIN oauth_clients c ON c.id = g.client_id
      `.first(db);
      if (!row) return null;
      const { isReplayed, ...grant } = row;
      if (!isReplayed) return grant;
      await sql`DELETE FROM oauth_grants WHERE id = ${grant.id}`.execute(db);
      return null;
    },

    /** null when the token is unknown or expired; notes the use, once a minute. */
    async findByAccessToken(accessHash: Uint8Array, nowMs: number): Promise<OauthGrant | null> {
      const grant = await query<OauthGrant>`
        SELECT ${GRANT_COLUMNS}
        FROM oauth_tokens t
        JOIN oauth_grants g ON g.id = t.grant_id
        JOIN oauth_clients c ON c.id = g.client_id
        WHERE t.token_hash = ${Buffer.from(accessHash)} AND t.kind = 'access'
          AND t.expires_at > ${new Date(nowMs)}`.first(db);
      if (!grant) return null;
      if (nowMs - (grant.lastUsedAt ?? 0) >= USE_NOTED_EVERY_MS) {
        await sql`UPDATE oauth_grants SET last_used_at = ${new Date(nowMs)} WHERE id = ${grant.id}
        `.execute(db);
      }
      return grant;
    },

    /** Ends the grant that a token of either kind is of, when it is the client's. */
    async endByToken(tokenHash: Uint8Array, clientId: string): Promise<void> {
      await sql`
        DELETE FROM oauth_grants g USING oauth_tokens t
        WHERE t.token_hash = ${Buffer.from(tokenHash)} AND t.grant_id = g.id
          AND g.client_id = ${clientId}`.execute(db);
    },

    /** Of a person, newest first; those whose code was never exchanged are left out. */
    listGrants: (userId: string, nowMs: number): Promise<readonly OauthGrant[]> =>
      query<OauthGrant>`
        SELECT ${GRANT_COLUMNS} FROM oauth_grants g JOIN oauth_clients c ON c.id = g.client_id
        WHERE g.user_id = ${userId} AND g.code_used_at IS NOT NULL AND g.expires_at > ${new Date(nowMs)}
        ORDER BY g.id DESC LIMIT ${GRANTS_LISTED_MAX}`.execute(db),

    /** False when the person has no such grant. */
    async endGrant(userId: string, grantId: number): Promise<boolean> {
      const changed = await affectedRows`
        DELETE FROM oauth_grants WHERE id = ${grantId} AND user_id = ${userId}`.execute(db);
      return changed > 0;
    },

    /** All of the person, those whose code is still to be exchanged too; answers the ones that were listed. */
    async endGrants(userId: string, nowMs: number): Promise<readonly OauthGrant[]> {
      const rows = await query<OauthGrant & { isListed: boolean }>`
        WITH g AS (DELETE FROM oauth_grants WHERE user_id = ${userId} RETURNING *)
        SELECT ${GRANT_COLUMNS}, g.code_used_at IS NOT NULL AND g.expires_at > ${new Date(nowMs)} AS is_listed
        FROM g JOIN oauth_clients c ON c.id = g.client_id ORDER BY g.id`.execute(db);
      return rows.flatMap(({ isListed, ...grant }) => (isListed ? [grant] : []));
    },

    async endGrantById(grantId: number): Promise<void> {
      await sql`DELETE FROM oauth_grants WHERE id = ${grantId}`.execute(db);
    },
  };
}

export type OauthStore = ReturnType<typeof createOauthStore>;

const GRANT_COLUMNS = sql`g.id, g.client_id, c.name AS client_name, g.user_id, g.organization_id, g.scopes,
  g.created_at, g.last_used_at`;
