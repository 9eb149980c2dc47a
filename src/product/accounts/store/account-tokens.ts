import { type Kysely, sql } from 'kysely';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import type { ApiToken } from '../account.ts';

/** A token that is used many times a second is noted once a minute. */
const TOKEN_USE_NOTED_EVERY_MS = 60_000;

/** API tokens; only their hashes are kept. */
export function createTokenStore(db: Kysely<Database>) {
  return {
    /** Only the hash of a token is kept: 32 bytes, SHA-256. */
    async createToken({
      organizationId,
      userId,
      name,
      scopes,
      tokenHash,
      expiresAt,
    }: Omit<ApiToken, 'id' | 'createdAt' | 'lastUsedAt'> & { tokenHash: Uint8Array }): Promise<ApiToken> {
      const token = await query<ApiToken>`
        INSERT INTO api_tokens (organization_id, user_id, name, scopes, token_hash, expires_at)
        VALUES (${organizationId}, ${userId}, ${name}, ${[...scopes]}, ${Buffer.from(tokenHash)},
          ${expiresAt === null ? null : new Date(expiresAt)})
        RETURNING ${TOKEN_COLUMNS}`.first(db);
      return token!;
    },

    /** null when unknown or expired; notes the use. */
    async findToken(tokenHash: Uint8Array, nowMs: number): Promise<ApiToken | null> {
      const token = await query<ApiToken>`
        SELECT ${TOKEN_COLUMNS} FROM api_tokens WHERE token_hash = ${Buffer.from(tokenHash)}
          AND (expires_at IS NULL OR expires_at > ${new Date(nowMs)})`.first(db);
      if (!token) return null;
      if (token.lastUsedAt === null || nowMs - token.lastUsedAt >= TOKEN_USE_NOTED_EVERY_MS) {
        await sql`UPDATE api_tokens SET last_used_at = ${new Date(nowMs)} WHERE id = ${token.id}`.execute(db);
      }
      return token;
    },

    /** Of the user, in every organization, newest first. */
    listTokens: (userId: string): Promise<readonly ApiToken[]> =>
      query<ApiToken>`
        SELECT ${TOKEN_COLUMNS} FROM api_tokens WHERE user_id = ${userId} ORDER BY id DESC`.execute(db),

    /** False when the user has no such token. */
    async deleteToken(userId: string, tokenId: number): Promise<boolean> {
      const changed = await affectedRows`
        DELETE FROM api_tokens WHERE user_id = ${userId} AND id = ${tokenId}`.execute(db);
      return changed === 1;
    },

    /** All of the user, in every organization; answers what they were. */
    deleteTokens: (userId: string): Promise<readonly ApiToken[]> =>
      query<ApiToken>`
        DELETE FROM api_tokens WHERE user_id = ${userId} RETURNING ${TOKEN_COLUMNS}`.execute(db),
  };
}

const TOKEN_COLUMNS = sql`id, organization_id, user_id, name, scopes, expires_at, last_used_at, created_at`;
