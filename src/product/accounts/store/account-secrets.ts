import { type Kysely, sql } from 'kysely';
import type { User } from '#domain/people.ts';
import { conflict } from '#lib/errors.ts';
import { isUniqueViolation } from '#storage/sql/postgres-errors.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import type { OneTimePurpose } from '../account.ts';

/** Secrets in addresses that open once. */
export function createOneTimeSecretStore(db: Kysely<Database>) {
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
      await sql`
        INSERT INTO one_time_secrets (purpose, user_id, secret_hash, expires_at)
        VALUES (${purpose}, ${userId}, ${Buffer.from(secretHash)}, ${new Date(expiresAt)})
        ON CONFLICT (purpose, user_id) DO UPDATE SET secret_hash = excluded.secret_hash,
          expires_at = excluded.expires_at, created_at = now()`.execute(db);
    },

    /** Whether the secret opens; does not use it up. */
    async checkOneTimeSecret(
      purpose: OneTimePurpose,
      secretHash: Uint8Array,
      nowMs: number,
    ): Promise<boolean> {
      const { rows } = await sql`
        SELECT FROM one_time_secrets WHERE ${opens(secretHash, nowMs)} AND purpose = ${purpose}`.execute(db);
      return rows.length === 1;
    },

    /** The user whose secret opens; null when it is unknown, used, expired or nobody's. Does not use it up. */
    findOneTimeSecretUser: (
      purpose: OneTimePurpose,
      secretHash: Uint8Array,
      nowMs: number,
    ): Promise<User | null> =>
      query<User>`
        SELECT ${USER_COLUMNS} FROM users WHERE id = (
          SELECT user_id FROM one_time_secrets WHERE ${opens(secretHash, nowMs)} AND purpose = ${purpose}
        )`.first(db),

    /** Uses the secret up, atomically; null when it is unknown, used or expired. */
    takeOneTimeSecret: (
      purpose: OneTimePurpose,
      secretHash: Uint8Array,
      nowMs: number,
    ): Promise<{ userId: string | null } | null> =>
      query<{ userId: string | null }>`
        DELETE FROM one_time_secrets WHERE ${opens(secretHash, nowMs)} AND purpose = ${purpose}
        RETURNING user_id`.first(db),
  };
}

/** Addresses that wait for their link to be opened. */
export function createEmailChangeStore(db: Kysely<Database>) {
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
      await sql`
        INSERT INTO email_changes (user_id, email, is_mailed, secret_hash, expires_at)
        VALUES (${userId}, ${email}, ${isMailed}, ${Buffer.from(secretHash)}, ${new Date(expiresAt)})
        ON CONFLICT (user_id) DO UPDATE SET email = excluded.email, is_mailed = excluded.is_mailed,
          secret_hash = excluded.secret_hash, expires_at = excluded.expires_at`.execute(db);
    },

    /** The address that the link would set for this user; does not use it up. */
    async checkEmailChange(userId: string, secretHash: Uint8Array, nowMs: number): Promise<string | null> {
      const change = await query<{ email: string }>`
        SELECT email FROM email_changes WHERE ${opens(secretHash, nowMs)} AND user_id = ${userId}`.first(db);
      return change?.email ?? null;
    },

    /** Changes the address and uses up the link. null when it is invalid. Throws Conflict for an address in use. */
    async takeEmailChange(
      userId: string,
      secretHash: Uint8Array,
      nowMs: number,
    ): Promise<{ oldEmail: string; email: string } | null> {
      try {
        // One statement, so that a link that cannot be followed is not used up.
        return await query<{ oldEmail: string; email: string }>`
          WITH taken AS (
            DELETE FROM email_changes WHERE ${opens(secretHash, nowMs)} AND user_id = ${userId}
            RETURNING user_id, email, is_mailed
          ), forgotten AS (
            DELETE FROM one_time_secrets USING taken
            WHERE purpose = 'reset_password' AND one_time_secrets.user_id = taken.user_id
          ), before AS (
            SELECT users.id, users.email FROM users JOIN taken ON taken.user_id = users.id
          )
          UPDATE users SET email = taken.email, email_verified = taken.is_mailed, updated_at = now()
          FROM taken, before WHERE users.id = taken.user_id
          RETURNING before.email AS old_email, users.email`.first(db);
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw conflict('This email address is already in use: choose another one', 'email');
      }
    },
  };
}

const opens = (secretHash: Uint8Array, nowMs: number) =>
  sql`secret_hash = ${Buffer.from(secretHash)} AND expires_at > ${new Date(nowMs)}`;

export const USER_COLUMNS = sql`users.id, users.email, users.name, users.is_instance_owner`;
