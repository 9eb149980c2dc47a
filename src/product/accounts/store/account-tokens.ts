import { fromRow, type RowOf } from '#lib/from-row.ts';
import type { ConnectionPool } from '#storage/sql/connections.ts';
import type { ApiToken } from '../account.ts';
import { fromMs } from './account-secrets.ts';

/** A token that is used many times a second is noted once a minute. */
const TOKEN_USE_NOTED_EVERY_MS = 60_000;

/** API tokens; only their hashes are kept. */
export function createTokenStore(pool: ConnectionPool) {
  return {
    /** Only the hash of a token is kept: 32 bytes, SHA-256. */
    async createToken(
      token: Omit<ApiToken, 'id' | 'createdAt' | 'lastUsedAt'> & { tokenHash: Uint8Array },
    ): Promise<ApiToken> {
      const { organizationId, userId, name, scopes, tokenHash, expiresAt } = token;
      const { rows } = await pool.query<TokenRow>(
        `INSERT INTO api_tokens (organization_id, user_id, name, scopes, token_hash, expires_at)
         VALUES ($1, $2, $3, $4, $5, ${fromMs('$6')}) RETURNING ${TOKEN_COLUMNS}`,
        [organizationId, userId, name, scopes, Buffer.from(tokenHash), expiresAt],
      );
      return fromRow<ApiToken>(rows[0]!);
    },

    /** null when unknown or expired; notes the use. */
    async findToken(tokenHash: Uint8Array, nowMs: number): Promise<ApiToken | null> {
      const { rows } = await pool.query<TokenRow>(
        `SELECT ${TOKEN_COLUMNS} FROM api_tokens
         WHERE token_hash = $1 AND (expires_at IS NULL OR expires_at > ${fromMs('$2')})`,
        [Buffer.from(tokenHash), nowMs],
      );
      const row = rows[0];
      if (!row) return null;
      const token = fromRow<ApiToken>(row);
      if (token.lastUsedAt === null || nowMs - token.lastUsedAt >= TOKEN_USE_NOTED_EVERY_MS) {
        await pool.query(`UPDATE api_tokens SET last_used_at = ${fromMs('$2')} WHERE id = $1`, [
          token.id,
          nowMs,
        ]);
      }
      return token;
    },

    /** Of the user, in every organization, newest first. */
    async listTokens(userId: string): Promise<readonly ApiToken[]> {
      const { rows } = await pool.query<TokenRow>(
        `SELECT ${TOKEN_COLUMNS} FROM api_tokens WHERE user_id = $1 ORDER BY id DESC`,
        [userId],
      );
      return rows.map(fromRow<ApiToken>);
    },

    /** False when the user has no such token. */
    async deleteToken(userId: string, tokenId: number): Promise<boolean> {
      const { rowCount } = await pool.query('DELETE FROM api_tokens WHERE user_id = $1 AND id = $2', [
        userId,
        tokenId,
      ]);
      return rowCount === 1;
    },

    /** All of the user, in every organization; answers what they were. */
    async deleteTokens(userId: string): Promise<readonly ApiToken[]> {
      const { rows } = await pool.query<TokenRow>(
        `DELETE FROM api_tokens WHERE user_id = $1 RETURNING ${TOKEN_COLUMNS}`,
        [userId],
      );
      return rows.map(fromRow<ApiToken>);
    },
  };
}

type TokenRow = RowOf<ApiToken>;

const TOKEN_COLUMNS = 'id, organization_id, user_id, name, scopes, expires_at, last_used_at, created_at';
