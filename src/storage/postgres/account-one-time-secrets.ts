import type { AccountStore } from '#storage/ports/accounts.ts';
import { fromMs, toUser, USER_COLUMNS, type UserRow } from './account-user-row.ts';
import type { ConnectionPool } from './transaction.ts';

type OneTimeSecretStore = Pick<
  AccountStore,
  'putOneTimeSecret' | 'checkOneTimeSecret' | 'findOneTimeSecretUser' | 'takeOneTimeSecret'
>;

/** Secrets in addresses that open once. */
export function createOneTimeSecretStore(pool: ConnectionPool): OneTimeSecretStore {
  return {
    async putOneTimeSecret({ purpose, userId, secretHash, expiresAt }) {
      await pool.query(
        `INSERT INTO one_time_secrets (purpose, user_id, secret_hash, expires_at)
         VALUES ($1, $2, $3, ${fromMs('$4')})
         ON CONFLICT (purpose, user_id)
         DO UPDATE SET secret_hash = excluded.secret_hash, expires_at = excluded.expires_at, created_at = now()`,
        [purpose, userId, Buffer.from(secretHash), expiresAt],
      );
    },

    async checkOneTimeSecret(purpose, secretHash, nowMs) {
      const { rowCount } = await pool.query(
        `SELECT FROM one_time_secrets WHERE purpose = $1 AND secret_hash = $2 AND expires_at > ${fromMs('$3')}`,
        [purpose, Buffer.from(secretHash), nowMs],
      );
      return rowCount === 1;
    },

    async findOneTimeSecretUser(purpose, secretHash, nowMs) {
      const { rows } = await pool.query<UserRow>(
        `SELECT ${USER_COLUMNS} FROM users WHERE id = (
           SELECT user_id FROM one_time_secrets
           WHERE purpose = $1 AND secret_hash = $2 AND expires_at > ${fromMs('$3')})`,
        [purpose, Buffer.from(secretHash), nowMs],
      );
      return rows[0] ? toUser(rows[0]) : null;
    },

    async takeOneTimeSecret(purpose, secretHash, nowMs) {
      const { rows } = await pool.query<{ user_id: string | null }>(
        `DELETE FROM one_time_secrets WHERE purpose = $1 AND secret_hash = $2 AND expires_at > ${fromMs('$3')}
         RETURNING user_id`,
        [purpose, Buffer.from(secretHash), nowMs],
      );
      return rows[0] ? { userId: rows[0].user_id } : null;
    },
  };
}
