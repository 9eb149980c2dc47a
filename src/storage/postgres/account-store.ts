import type { Pool, PoolClient } from 'pg';
import { conflict, unavailable } from '#lib/errors.ts';
import type { AccountStore, ApiToken, Member, Membership, Role, User } from '#storage/ports/accounts.ts';

const SETUP_LOCK_ID = 7_270_001;
const SETUP_LOCK_TRY_MS = 100;
const SETUP_LOCK_TRIES_MAX = 300;
/** A token that is used many times a second is noted once a minute. */
const TOKEN_USE_NOTED_EVERY_MS = 60_000;

export function createAccountStore(pool: Pool): AccountStore {
  return {
    async countUsers() {
      const { rows } = await pool.query<{ count: string }>('SELECT count(*) AS count FROM users');
      return Number(rows[0]?.count ?? 0);
    },

    async findUserByEmail(email) {
      const { rows } = await pool.query<UserRow>(
        `SELECT ${USER_COLUMNS} FROM users WHERE lower(email) = lower($1)`,
        [email.trim()],
      );
      return rows[0] ? toUser(rows[0]) : null;
    },

    async findUser(userId) {
      const { rows } = await pool.query<UserRow>(`SELECT ${USER_COLUMNS} FROM users WHERE id = $1`, [userId]);
      return rows[0] ? toUser(rows[0]) : null;
    },

    async findInstanceOwner() {
      const { rows } = await pool.query<UserRow>(`SELECT ${USER_COLUMNS} FROM users WHERE is_instance_owner`);
      return rows[0] ? toUser(rows[0]) : null;
    },

    async setInstanceOwner(userId) {
      const { rowCount } = await pool.query(
        `UPDATE users SET is_instance_owner = true, updated_at = now()
         WHERE id = $1 AND NOT EXISTS (SELECT FROM users WHERE is_instance_owner AND id <> $1)`,
        [userId],
      );
      if (rowCount === 0) throw conflict('This instance has an owner already');
    },

    async addMembership({ organizationId, userId, role }) {
      await pool.query(
        `INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, $3)
         ON CONFLICT (organization_id, user_id) DO UPDATE SET role = excluded.role`,
        [organizationId, userId, role],
      );
    },

    async findRole(organizationId, userId) {
      const { rows } = await pool.query<{ role: Role }>(
        'SELECT role FROM memberships WHERE organization_id = $1 AND user_id = $2',
        [organizationId, userId],
      );
      return rows[0]?.role ?? null;
    },

    async listMemberships(userId) {
      const { rows } = await pool.query<{ organization_id: string; role: Role }>(
        'SELECT organization_id, role FROM memberships WHERE user_id = $1 ORDER BY organization_id',
        [userId],
      );
      return rows.map(
        (row): Membership => ({ organizationId: Number(row.organization_id), userId, role: row.role }),
      );
    },

    async listMembers(organizationId) {
      const { rows } = await pool.query<UserRow & { role: Role }>(
        `SELECT ${USER_COLUMNS}, role FROM memberships JOIN users ON users.id = memberships.user_id
         WHERE organization_id = $1 ORDER BY lower(users.name), users.id`,
        [organizationId],
      );
      return rows.map((row): Member => ({ ...toUser(row), role: row.role }));
    },

    async createToken({ organizationId, userId, name, scopes, tokenHash, expiresAt }) {
      const { rows } = await pool.query<TokenRow>(
        `INSERT INTO api_tokens (organization_id, user_id, name, scopes, token_hash, expires_at)
         VALUES ($1, $2, $3, $4, $5, ${fromMs('$6')}) RETURNING ${TOKEN_COLUMNS}`,
        [organizationId, userId, name, scopes, Buffer.from(tokenHash), expiresAt],
      );
      return toToken(rows[0]!);
    },

    async findToken(tokenHash, nowMs) {
      const { rows } = await pool.query<TokenRow>(
        `SELECT ${TOKEN_COLUMNS} FROM api_tokens
         WHERE token_hash = $1 AND (expires_at IS NULL OR expires_at > ${fromMs('$2')})`,
        [Buffer.from(tokenHash), nowMs],
      );
      const row = rows[0];
      if (!row) return null;
      const token = toToken(row);
      if (token.lastUsedAt === null || nowMs - token.lastUsedAt >= TOKEN_USE_NOTED_EVERY_MS) {
        await pool.query(`UPDATE api_tokens SET last_used_at = ${fromMs('$2')} WHERE id = $1`, [
          token.id,
          nowMs,
        ]);
      }
      return token;
    },

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

    async takeOneTimeSecret(purpose, secretHash, nowMs) {
      const { rows } = await pool.query<{ user_id: string | null }>(
        `DELETE FROM one_time_secrets WHERE purpose = $1 AND secret_hash = $2 AND expires_at > ${fromMs('$3')}
         RETURNING user_id`,
        [purpose, Buffer.from(secretHash), nowMs],
      );
      return rows[0] ? { userId: rows[0].user_id } : null;
    },

    async withSetupLock(work) {
      const client = await lockSetup(pool);
      try {
        return await work();
      } finally {
        await client.query('SELECT pg_advisory_unlock($1)', [SETUP_LOCK_ID]).then(
          () => client.release(),
          () => client.release(true),
        );
      }
    },
  };
}

/** Waits without holding a connection, so that many who wait cannot starve the one who works. */
async function lockSetup(pool: Pool): Promise<PoolClient> {
  for (let tries = 0; tries < SETUP_LOCK_TRIES_MAX; tries++) {
    const client = await pool.connect();
    try {
      const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
        SETUP_LOCK_ID,
      ]);
      if (rows[0]?.locked) return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.release();
    await new Promise((resolve) => setTimeout(resolve, SETUP_LOCK_TRY_MS));
  }
  throw unavailable('Another set-up has been running for half a minute: wait for it and try again');
}

type UserRow = { id: string; email: string; name: string; is_instance_owner: boolean };
const USER_COLUMNS = 'users.id, users.email, users.name, users.is_instance_owner';

const toUser = (row: UserRow): User => ({
  id: row.id,
  email: row.email,
  name: row.name,
  isInstanceOwner: row.is_instance_owner,
});

type TokenRow = {
  id: string;
  organization_id: string;
  user_id: string;
  name: string;
  scopes: string[];
  expires_at: Date | null;
  last_used_at: Date | null;
  created_at: Date;
};
const TOKEN_COLUMNS = 'id, organization_id, user_id, name, scopes, expires_at, last_used_at, created_at';

const toToken = (row: TokenRow): ApiToken => ({
  id: Number(row.id),
  organizationId: Number(row.organization_id),
  userId: row.user_id,
  name: row.name,
  scopes: row.scopes,
  expiresAt: row.expires_at?.getTime() ?? null,
  lastUsedAt: row.last_used_at?.getTime() ?? null,
  createdAt: row.created_at.getTime(),
});

/** A parameter of milliseconds since the epoch as a timestamp. */
const fromMs = (parameter: string) => `to_timestamp(${parameter}::double precision / 1000)`;
