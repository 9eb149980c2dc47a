import type { User } from '#domain/people.ts';
import { conflict } from '#lib/errors.ts';
import { fromRow, type RowOf } from '#lib/from-row.ts';
import type { ConnectionPool } from '#storage/sql/connections.ts';
import { isUniqueViolation } from '#storage/sql/postgres-errors.ts';
import type { OneTimePurpose } from '../account.ts';

/** Secrets in addresses that open once. */
export function createOneTimeSecretStore(pool: ConnectionPool) {
  return {
    /** Replaces an earlier secret of the same purpose and user. */
    async putOneTimeSecret({
      purpose,
      userId,
      secretHash,
      expiresAt,
    }: {
      purpose: OneTimePurpose;
      userId: string | null;
      secretHash: Uint8Array;
      expiresAt: number;
    }): Promise<void> {
      await pool.query(
        `INSERT INTO one_time_secrets (purpose, user_id, secret_hash, expires_at)
         VALUES ($1, $2, $3, ${fromMs('$4')})
         ON CONFLICT (purpose, user_id)
         DO UPDATE SET secret_hash = excluded.secret_hash, expires_at = excluded.expires_at, created_at = now()`,
        [purpose, userId, Buffer.from(secretHash), expiresAt],
      );
    },

    /** Whether the secret opens; does not use it up. */
    async checkOneTimeSecret(
      purpose: OneTimePurpose,
      secretHash: Uint8Array,
      nowMs: number,
    ): Promise<boolean> {
      const { rowCount } = await pool.query(
        `SELECT FROM one_time_secrets WHERE purpose = $1 AND secret_hash = $2 AND expires_at > ${fromMs('$3')}`,
        [purpose, Buffer.from(secretHash), nowMs],
      );
      return rowCount === 1;
    },

    /** The user whose secret opens; null when it is unknown, used, expired or nobody's. Does not use it up. */
    async findOneTimeSecretUser(
      purpose: OneTimePurpose,
      secretHash: Uint8Array,
      nowMs: number,
    ): Promise<User | null> {
      const { rows } = await pool.query<UserRow>(
        `SELECT ${USER_COLUMNS} FROM users WHERE id = (
           SELECT user_id FROM one_time_secrets
           WHERE purpose = $1 AND secret_hash = $2 AND expires_at > ${fromMs('$3')})`,
        [purpose, Buffer.from(secretHash), nowMs],
      );
      return rows[0] ? toUser(rows[0]) : null;
    },

    /** Uses the secret up, atomically; null when it is unknown, used or expired. */
    async takeOneTimeSecret(
      purpose: OneTimePurpose,
      secretHash: Uint8Array,
      nowMs: number,
    ): Promise<{ userId: string | null } | null> {
      const { rows } = await pool.query<{ user_id: string | null }>(
        `DELETE FROM one_time_secrets WHERE purpose = $1 AND secret_hash = $2 AND expires_at > ${fromMs('$3')}
         RETURNING user_id`,
        [purpose, Buffer.from(secretHash), nowMs],
      );
      return rows[0] ? { userId: rows[0].user_id } : null;
    },
  };
}

/** Addresses that wait for their link to be opened. */
export function createEmailChangeStore(pool: ConnectionPool) {
  return {
    /** Replaces an earlier wish of the user. */
    async putEmailChange({
      userId,
      email,
      isMailed,
      secretHash,
      expiresAt,
    }: {
      userId: string;
      email: string;
      isMailed: boolean;
      secretHash: Uint8Array;
      expiresAt: number;
    }): Promise<void> {
      await pool.query(
        `INSERT INTO email_changes (user_id, email, is_mailed, secret_hash, expires_at)
         VALUES ($1, $2, $3, $4, ${fromMs('$5')})
         ON CONFLICT (user_id) DO UPDATE SET email = excluded.email, is_mailed = excluded.is_mailed,
           secret_hash = excluded.secret_hash, expires_at = excluded.expires_at`,
        [userId, email, isMailed, Buffer.from(secretHash), expiresAt],
      );
    },

    /** The address that the link would set for this user; does not use it up. */
    async checkEmailChange(userId: string, secretHash: Uint8Array, nowMs: number): Promise<string | null> {
      const { rows } = await pool.query<{ email: string }>(
        `SELECT email FROM email_changes
         WHERE user_id = $1 AND secret_hash = $2 AND expires_at > ${fromMs('$3')}`,
        [userId, Buffer.from(secretHash), nowMs],
      );
      return rows[0]?.email ?? null;
    },

    /** Changes the address and uses up the link. null when it is invalid. Throws Conflict for an address in use. */
    async takeEmailChange(
      userId: string,
      secretHash: Uint8Array,
      nowMs: number,
    ): Promise<{ oldEmail: string; email: string } | null> {
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
        throw conflict('This email address is already in use: choose another one', 'email');
      }
    },
  };
}

export type UserRow = RowOf<User>;

export const USER_COLUMNS = 'users.id, users.email, users.name, users.is_instance_owner';

export const toUser = ({ id, email, name, is_instance_owner }: UserRow): User =>
  fromRow<User>({ id, email, name, is_instance_owner });

/** A parameter of milliseconds since the epoch as a timestamp. */
export const fromMs = (parameter: string) => `to_timestamp(${parameter}::double precision / 1000)`;
