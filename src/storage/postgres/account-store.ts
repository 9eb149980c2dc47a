import type { PoolClient } from 'pg';
import { conflict, notFound, unavailable } from '#lib/errors.ts';
import type { AccountStore, Member, Membership, Role } from '#storage/ports/accounts.ts';
import { createEmailChangeStore } from './account-email-changes.ts';
import { createIdentityStore } from './account-identities.ts';
import { createOneTimeSecretStore } from './account-one-time-secrets.ts';
import { createTokenStore } from './account-tokens.ts';
import { toUser, USER_COLUMNS, type UserRow } from './account-user-row.ts';
import type { ConnectionPool } from './transaction.ts';

const SETUP_LOCK_ID = 7_270_001;
const SETUP_LOCK_TRY_MS = 100;
const SETUP_LOCK_TRIES_MAX = 300;

export function createAccountStore(pool: ConnectionPool): AccountStore {
  return {
    ...createTokenStore(pool),
    ...createOneTimeSecretStore(pool),
    ...createEmailChangeStore(pool),
    ...createIdentityStore(pool),

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

    async findProfile(userId) {
      const { rows } = await pool.query<ProfileRow>(
        `SELECT ${USER_COLUMNS}, email_verified, two_factor_enabled,
           EXISTS (SELECT FROM accounts WHERE user_id = users.id AND provider_id = 'credential') AS has_password
         FROM users WHERE id = $1`,
        [userId],
      );
      const row = rows[0];
      if (!row) return null;
      return {
        ...toUser(row),
        isEmailTrusted: row.email_verified,
        hasPassword: row.has_password,
        hasTwoFactor: row.two_factor_enabled,
      };
    },

    async renameUser(userId, name) {
      await pool.query('UPDATE users SET name = $2, updated_at = now() WHERE id = $1', [userId, name]);
    },

    async removeTwoFactor(userId) {
      const { rowCount } = await pool.query(
        `WITH gone AS (DELETE FROM two_factors WHERE user_id = $1),
              forgotten AS (DELETE FROM verifications WHERE value = $1),
              ended AS (DELETE FROM sessions WHERE user_id = $1 AND EXISTS
                (SELECT FROM users WHERE id = $1 AND two_factor_enabled))
         UPDATE users SET two_factor_enabled = false, updated_at = now() WHERE id = $1 AND two_factor_enabled`,
        [userId],
      );
      return rowCount === 1;
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

    async findAccess(organizationId, userId) {
      const { rows } = await pool.query<{ role: Role; requires_two_factor: boolean }>(
        `SELECT role, requires_two_factor FROM memberships
         JOIN organizations ON organizations.id = memberships.organization_id
         WHERE organization_id = $1 AND user_id = $2`,
        [organizationId, userId],
      );
      const row = rows[0];
      return row ? { role: row.role, requiresTwoFactor: row.requires_two_factor } : null;
    },

    async requiresTwoFactor(organizationId) {
      const { rows } = await pool.query<{ requires_two_factor: boolean }>(
        'SELECT requires_two_factor FROM organizations WHERE id = $1',
        [organizationId],
      );
      if (!rows[0]) throw notFound(`Organization ${organizationId} does not exist`);
      return rows[0].requires_two_factor;
    },

    async setTwoFactorRequired(organizationId, isRequired) {
      await pool.query('UPDATE organizations SET requires_two_factor = $2 WHERE id = $1', [
        organizationId,
        isRequired,
      ]);
    },

    async countWithoutTwoFactor(organizationId) {
      const { rows } = await pool.query<{ count: string }>(
        `SELECT count(*) AS count FROM memberships JOIN users ON users.id = memberships.user_id
         WHERE organization_id = $1 AND NOT two_factor_enabled`,
        [organizationId],
      );
      return Number(rows[0]?.count ?? 0);
    },

    async listTwoFactorOrganizations(userId) {
      const { rows } = await pool.query<{ slug: string }>(
        `SELECT slug FROM memberships JOIN organizations ON organizations.id = memberships.organization_id
         WHERE user_id = $1 AND requires_two_factor ORDER BY slug`,
        [userId],
      );
      return rows.map(({ slug }) => slug);
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
async function lockSetup(pool: ConnectionPool): Promise<PoolClient> {
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

type ProfileRow = UserRow & { email_verified: boolean; two_factor_enabled: boolean; has_password: boolean };
