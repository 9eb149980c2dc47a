import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { Member, Membership, Role, User } from '#domain/people.ts';
import { conflict, notFound, unavailable } from '#lib/errors.ts';
import type { ConnectionPool } from '#storage/sql/connections.ts';
import type { Access, Identity, Profile } from '../account.ts';
import {
  createEmailChangeStore,
  createOneTimeSecretStore,
  toUser,
  USER_COLUMNS,
  type UserRow,
} from './account-secrets.ts';
import { createTokenStore } from './account-tokens.ts';

const SETUP_LOCK_ID = 7_270_001;
const SETUP_LOCK_TRY_MS = 100;
const SETUP_LOCK_TRIES_MAX = 300;

/** Users as the product sees them, memberships, tokens. Passwords and sessions belong to the Authenticator. */
export function createAccountStore(pool: ConnectionPool) {
  return {
    ...createTokenStore(pool),
    ...createOneTimeSecretStore(pool),
    ...createEmailChangeStore(pool),
    ...createIdentityStore(pool),

    async countUsers(): Promise<number> {
      const { rows } = await pool.query<{ count: string }>('SELECT count(*) AS count FROM users');
      return Number(rows[0]?.count ?? 0);
    },

    async findUserByEmail(email: string): Promise<User | null> {
      const { rows } = await pool.query<UserRow>(
        `SELECT ${USER_COLUMNS} FROM users WHERE lower(email) = lower($1)`,
        [email.trim()],
      );
      return rows[0] ? toUser(rows[0]) : null;
    },

    async findUser(userId: string): Promise<User | null> {
      const { rows } = await pool.query<UserRow>(`SELECT ${USER_COLUMNS} FROM users WHERE id = $1`, [userId]);
      return rows[0] ? toUser(rows[0]) : null;
    },

    async findProfile(userId: string): Promise<Profile | null> {
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

    async renameUser(userId: string, name: string): Promise<void> {
      await pool.query('UPDATE users SET name = $2, updated_at = now() WHERE id = $1', [userId, name]);
    },

    /** Turns the second factor off without a code, and ends all sessions. False when it was off. */
    async removeTwoFactor(userId: string): Promise<boolean> {
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

    /** null until the instance is set up. */
    async findInstanceOwner(): Promise<User | null> {
      const { rows } = await pool.query<UserRow>(`SELECT ${USER_COLUMNS} FROM users WHERE is_instance_owner`);
      return rows[0] ? toUser(rows[0]) : null;
    },

    /** Throws Conflict when another user is the instance's owner. */
    async setInstanceOwner(userId: string): Promise<void> {
      const { rowCount } = await pool.query(
        `UPDATE users SET is_instance_owner = true, updated_at = now()
         WHERE id = $1 AND NOT EXISTS (SELECT FROM users WHERE is_instance_owner AND id <> $1)`,
        [userId],
      );
      if (rowCount === 0) throw conflict('This instance already has an owner');
    },

    async addMembership({ organizationId, userId, role }: Membership): Promise<void> {
      await pool.query(
        `INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, $3)
         ON CONFLICT (organization_id, user_id) DO UPDATE SET role = excluded.role`,
        [organizationId, userId, role],
      );
    },

    /** null when not a member. */
    async findRole(organizationId: number, userId: string): Promise<Role | null> {
      const { rows } = await pool.query<{ role: Role }>(
        'SELECT role FROM memberships WHERE organization_id = $1 AND user_id = $2',
        [organizationId, userId],
      );
      return rows[0]?.role ?? null;
    },

    /** Role and policy in one look; null when not a member. */
    async findAccess(organizationId: number, userId: string): Promise<Access | null> {
      const { rows } = await pool.query<{ role: Role; requires_two_factor: boolean }>(
        `SELECT role, requires_two_factor FROM memberships
         JOIN organizations ON organizations.id = memberships.organization_id
         WHERE organization_id = $1 AND user_id = $2`,
        [organizationId, userId],
      );
      const row = rows[0];
      return row ? { role: row.role, requiresTwoFactor: row.requires_two_factor } : null;
    },

    /** Throws NotFound without the organization. */
    async requiresTwoFactor(organizationId: number): Promise<boolean> {
      const { rows } = await pool.query<{ requires_two_factor: boolean }>(
        'SELECT requires_two_factor FROM organizations WHERE id = $1',
        [organizationId],
      );
      if (!rows[0]) throw notFound(`Organization ${organizationId} does not exist`);
      return rows[0].requires_two_factor;
    },

    async setTwoFactorRequired(organizationId: number, isRequired: boolean): Promise<void> {
      await pool.query('UPDATE organizations SET requires_two_factor = $2 WHERE id = $1', [
        organizationId,
        isRequired,
      ]);
    },

    /** How many members have no second factor. */
    async countWithoutTwoFactor(organizationId: number): Promise<number> {
      const { rows } = await pool.query<{ count: string }>(
        `SELECT count(*) AS count FROM memberships JOIN users ON users.id = memberships.user_id
         WHERE organization_id = $1 AND NOT two_factor_enabled`,
        [organizationId],
      );
      return Number(rows[0]?.count ?? 0);
    },

    /** Slugs of the organizations of a user that require a second factor. */
    async listTwoFactorOrganizations(userId: string): Promise<readonly string[]> {
      const { rows } = await pool.query<{ slug: string }>(
        `SELECT slug FROM memberships JOIN organizations ON organizations.id = memberships.organization_id
         WHERE user_id = $1 AND requires_two_factor ORDER BY slug`,
        [userId],
      );
      return rows.map(({ slug }) => slug);
    },

    /** Organizations of a user with the role in each. */
    async listMemberships(userId: string): Promise<readonly Membership[]> {
      const { rows } = await pool.query<{ organization_id: string; role: Role }>(
        'SELECT organization_id, role FROM memberships WHERE user_id = $1 ORDER BY organization_id',
        [userId],
      );
      return rows.map(
        (row): Membership => ({ organizationId: Number(row.organization_id), userId, role: row.role }),
      );
    },

    async listMembers(organizationId: number): Promise<readonly Member[]> {
      const { rows } = await pool.query<UserRow & { role: Role }>(
        `SELECT ${USER_COLUMNS}, role FROM memberships JOIN users ON users.id = memberships.user_id
         WHERE organization_id = $1 ORDER BY lower(users.name), users.id`,
        [organizationId],
      );
      return rows.map((row): Member => ({ ...toUser(row), role: row.role }));
    },

    /** Runs the work while no other set-up runs, in this process or another. Throws Unavailable after 30 s of waiting. */
    async withSetupLock<T>(work: () => Promise<T>): Promise<T> {
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

export type AccountStore = ReturnType<typeof createAccountStore>;

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
  throw unavailable('Another setup has been running for 30 seconds: wait for it to finish and try again');
}

type ProfileRow = UserRow & { email_verified: boolean; two_factor_enabled: boolean; has_password: boolean };

const PROVIDER = 'oidc';

/** Who a user is at the identity provider, in the table that holds passwords as well. */
export function createIdentityStore(pool: ConnectionPool) {
  return {
    /** null when nobody is linked. */
    async findUserByIdentity(identity: Identity): Promise<User | null> {
      const { rows } = await pool.query<UserRow>(
        `SELECT ${USER_COLUMNS} FROM accounts JOIN users ON users.id = accounts.user_id
         WHERE provider_id = $1 AND account_id = $2`,
        [PROVIDER, keyOf(identity)],
      );
      return rows[0] ? toUser(rows[0]) : null;
    },

    /** Throws Conflict when the identity belongs to another user. */
    async linkIdentity(userId: string, identity: Identity): Promise<void> {
      const { rows } = await pool.query<{ user_id: string }>(
        `INSERT INTO accounts (id, account_id, provider_id, user_id, updated_at) VALUES ($1, $2, $3, $4, now())
         ON CONFLICT (provider_id, account_id) DO UPDATE SET updated_at = now()
         RETURNING user_id`,
        [randomUUID(), keyOf(identity), PROVIDER, userId],
      );
      if (rows[0]?.user_id !== userId) {
        throw conflict('This identity is already connected to another account: disconnect it there first');
      }
    },

    /** How many identities were removed. */
    async unlinkIdentities(userId: string): Promise<number> {
      const { rowCount } = await pool.query('DELETE FROM accounts WHERE user_id = $1 AND provider_id = $2', [
        userId,
        PROVIDER,
      ]);
      return rowCount ?? 0;
    },

    /** `issuer`: of this one only. */
    async hasIdentity(userId: string, issuer?: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        'SELECT FROM accounts WHERE user_id = $1 AND provider_id = $2 AND starts_with(account_id, $3)',
        [userId, PROVIDER, issuer === undefined ? '' : keyOf({ issuer, subject: '' })],
      );
      return (rowCount ?? 0) > 0;
    },
  };
}

/** Subjects are unique within their issuer only, and an issuer holds no space. */
const keyOf = ({ issuer, subject }: Identity) => `${issuer} ${subject}`;
