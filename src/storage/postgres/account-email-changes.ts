import { conflict } from '#lib/errors.ts';
import type { AccountStore } from '#storage/ports/accounts.ts';
import { fromMs } from './account-user-row.ts';
import { isUniqueViolation } from './postgres-errors.ts';
import type { ConnectionPool } from './transaction.ts';

type EmailChangeStore = Pick<AccountStore, 'putEmailChange' | 'checkEmailChange' | 'takeEmailChange'>;

/** Addresses that wait for their link to be opened. */
export function createEmailChangeStore(pool: ConnectionPool): EmailChangeStore {
  return {
    async putEmailChange({ userId, email, isMailed, secretHash, expiresAt }) {
      await pool.query(
        `INSERT INTO email_changes (user_id, email, is_mailed, secret_hash, expires_at)
         VALUES ($1, $2, $3, $4, ${fromMs('$5')})
         ON CONFLICT (user_id) DO UPDATE SET email = excluded.email, is_mailed = excluded.is_mailed,
           secret_hash = excluded.secret_hash, expires_at = excluded.expires_at`,
        [userId, email, isMailed, Buffer.from(secretHash), expiresAt],
      );
    },

    async checkEmailChange(userId, secretHash, nowMs) {
      const { rows } = await pool.query<{ email: string }>(
        `SELECT email FROM email_changes
         WHERE user_id = $1 AND secret_hash = $2 AND expires_at > ${fromMs('$3')}`,
        [userId, Buffer.from(secretHash), nowMs],
      );
      return rows[0]?.email ?? null;
    },

    async takeEmailChange(userId, secretHash, nowMs) {
      try {
        // One statement, so that a link that cannot be followed is not used up.
        const { rows } = await pool.query<{ old_email: string; email: string }>(
          `WITH taken AS (
             DELETE FROM email_changes
             WHERE user_id = $1 AND secret_hash = $2 AND expires_at > ${fromMs('$3')}
             RETURNING user_id, email, is_mailed
           ), forgotten AS (
             DELETE FROM one_time_secrets USING taken
             WHERE purpose = 'reset_password' AND one_time_secrets.user_id = taken.user_id
           ), before AS (
             SELECT users.id, users.email FROM users JOIN taken ON taken.user_id = users.id
           )
           UPDATE users SET email = taken.email, email_verified = taken.is_mailed, updated_at = now()
           FROM taken, before WHERE users.id = taken.user_id
           RETURNING before.email AS old_email, users.email`,
          [userId, Buffer.from(secretHash), nowMs],
        );
        const row = rows[0];
        return row ? { oldEmail: row.old_email, email: row.email } : null;
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw conflict('Somebody else has this address by now: ask for another one', 'email');
      }
    },
  };
}
