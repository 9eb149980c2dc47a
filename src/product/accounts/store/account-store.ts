import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { PoolClient } from 'pg';
import type { Member, Membership, Role, User } from '#domain/people.ts';
import { conflict, notFound, unavailable } from '#lib/errors.ts';
import type { ConnectionPool, Connections } from '#storage/sql/connections.ts';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import type { Access, Identity, Profile } from '../account.ts';
import { createEmailChangeStore, createOneTimeSecretStore, USER_COLUMNS } from './account-secrets.ts';
import { createTokenStore } from './account-tokens.ts';

const SETUP_LOCK_ID = 7_270_001;
const SETUP_LOCK_TRY_MS = 100;
const SETUP_LOCK_TRIES_MAX = 300;

/** Users as the product sees them, memberships, tokens. Passwords and sessions belong to the Authenticator. */
export function createAccountStore({ db, pool }: Connections) {
  return {
    ...createTokenStore(db),
    ...createOneTimeSecretStore(db),
    ...createEmailChangeStore(db),
    ...createIdentityStore(db),

    async countUsers(): Promise<number> {
      const found = await query<{ count: number }>`SELECT count(*) AS count FROM users`.first(db);
      return found?.count ?? 0;
    },

    findUserByEmail: (email: string): Promise<User | null> =>
      query<User>`SELECT ${USER_COLUMNS} FROM users WHERE lower(email) = lower(${email.trim()})`.first(db),

    findUser: (userId: string): Promise<User | null> =>
      query<User>`SELECT ${USER_COLUMNS} FROM users WHERE id = ${userId}`.first(db),

    findProfile: (userId: string): Promise<Profile | null> =>
      query<Profile>`
        SELECT ${USER_COLUMNS}, email_verified AS is_email_trusted, two_factor_enabled AS has_two_factor,
          EXISTS (SELECT FROM accounts WHERE user_id = users.id AND provider_id = 'credential') AS has_password
        FROM users WHERE id = ${userId}`.first(db),

    async renameUser(userId: string, name: string): Promise<void> {
      await sql`UPDATE users SET name = ${name}, updated_at = now() WHERE id = ${userId}`.execute(db);
    },

    /** Turns the second factor off without a code, and ends all sessions. False when it was off. */
    async removeTwoFactor(userId: string): Promise<boolean> {
      const changed = await affectedRows`
        WITH gone AS (DELETE FROM two_factors WHERE user_id = ${userId}),
          forgotten AS (DELETE FROM verifications WHERE value = ${userId}),
          ended AS (DELETE FROM sessions WHERE user_id = ${userId} AND EXISTS
            (SELECT FROM users WHERE id = ${userId} AND two_factor_enabled))
        UPDATE users SET two_factor_enabled = false, updated_at = now()
        WHERE id = ${userId} AND two_factor_enabled`.execute(db);
      return changed === 1;
    },

    /** null until the instance is set up. */
    findInstanceOwner: (): Promise<User | null> =>
      query<User>`SELECT ${USER_COLUMNS} FROM users WHERE is_instance_owner`.first(db),

    /** Throws Conflict when another user is the instance's owner. */
    async setInstanceOwner(userId: string): Promise<void> {
      const changed = await affectedRows`
        UPDATE users SET is_instance_owner = true, updated_at = now()
        WHERE id = ${userId} AND NOT EXISTS (SELECT FROM users WHERE is_instance_owner AND id <> ${userId})
      `.execute(db);
      if (changed === 0) throw conflict('This instance already has an owner');
    },

    async addMembership({ organizationId, userId, role }: Membership): Promise<void> {
      await sql`
        INSERT INTO memberships (organization_id, user_id, role) VALUES (${organizationId}, ${userId}, ${role})
        ON CONFLICT (organization_id, user_id) DO UPDATE SET role = excluded.role`.execute(db);
    },

    /** null when not a member. */
    async findRole(organizationId: number, userId: string): Promise<Role | null> {
      const membership = await query<{ role: Role }>`
        SELECT role FROM memberships
        WHERE organization_id = ${organizationId} AND user_id = ${userId}`.first(db);
      return membership?.role ?? null;
    },

    /** Role and policy in one look; null when not a member. */
    findAccess: (organizationId: number, userId: string): Promise<Access | null> =>
      query<Access>`
        SELECT role, requires_two_factor FROM memberships
        JOIN organizations ON organizations.id = memberships.organization_id
        WHERE organization_id = ${organizationId} AND user_id = ${userId}`.first(db),

    /** Throws NotFound without the organization. */
    async requiresTwoFactor(organizationId: number): Promise<boolean> {
      const policy = await query<{ requiresTwoFactor: boolean }>`
        SELECT requires_two_factor FROM organizations WHERE id = ${organizationId}`.first(db);
      if (!policy) throw notFound(`Organization ${organizationId} does not exist`);
      return policy.requiresTwoFactor;
    },

    async setTwoFactorRequired(organizationId: number, isRequired: boolean): Promise<void> {
      await sql`
        UPDATE organizations SET requires_two_factor = ${isRequired}
        WHERE id = ${organizationId}`.execute(db);
    },

    /** How many members have no second factor. */
    async countWithoutTwoFactor(organizationId: number): Promise<number> {
      const found = await query<{ count: number }>`
        SELECT count(*) AS count FROM memberships JOIN users ON users.id = memberships.user_id
        WHERE organization_id = ${organizationId} AND NOT two_factor_enabled`.first(db);
      return found?.count ?? 0;
    },

    /** Slugs of the organizations of a user that require a second factor. */
    async listTwoFactorOrganizations(userId: string): Promise<readonly string[]> {
      const rows = await query<{ slug: string }>`
        SELECT slug FROM memberships JOIN organizations ON organizations.id = memberships.organization_id
        WHERE user_id = ${userId} AND requires_two_factor ORDER BY slug`.execute(db);
      return rows.map(({ slug }) => slug);
    },

    /** Organizations of a user with the role in each. */
    listMemberships: (userId: string): Promise<readonly Membership[]> =>
      query<Membership>`
        SELECT organization_id, user_id, role FROM memberships WHERE user_id = ${userId}
        ORDER BY organization_id`.execute(db),

    listMembers: (organizationId: number): Promise<readonly Member[]> =>
      query<Member>`
        SELECT ${USER_COLUMNS}, role FROM memberships JOIN users ON users.id = memberships.user_id
        WHERE organization_id = ${organizationId} ORDER BY lower(users.name), users.id`.execute(db),

    /** Runs the work while no other set-up runs, in this process or another. Throws Unavailable after 30 s of waiting. */
    async withSetupLock<T>(work: () => Promise<T>): Promise<T> {
      const client = await lockSetup(pool);
      try {
        return await work();
      } finally {
        // Ends the transaction, and with it the lock.
        await client.query('COMMIT').then(
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
      await client.query('BEGIN');
      const { rows } = await client.query<{ locked: boolean }>(
        'SELECT pg_try_advisory_xact_lock($1) AS locked',
        [SETUP_LOCK_ID],
      );
      if (rows[0]?.locked) return client;
      await client.query('ROLLBACK');
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.release();
    await new Promise((resolve) => setTimeout(resolve, SETUP_LOCK_TRY_MS));
  }
  throw unavailable('Another setup has been running for 30 seconds: wait for it to finish and try again');
}

const PROVIDER = 'oidc';

/** Who a user is at the identity provider, in the table that holds passwords as well. */
export function createIdentityStore(db: Kysely<Database>) {
  return {
    /** null when nobody is linked. */
    findUserByIdentity: (identity: Identity): Promise<User | null> =>
      query<User>`
        SELECT ${USER_COLUMNS} FROM accounts JOIN users ON users.id = accounts.user_id
        WHERE provider_id = ${PROVIDER} AND account_id = ${keyOf(identity)}`.first(db),

    /** Throws Conflict when the identity belongs to another user. */
    async linkIdentity(userId: string, identity: Identity): Promise<void> {
      const linked = await query<{ userId: string }>`
        INSERT INTO accounts (id, account_id, provider_id, user_id, updated_at)
        VALUES (${randomUUID()}, ${keyOf(identity)}, ${PROVIDER}, ${userId}, now())
        ON CONFLICT (provider_id, account_id) DO UPDATE SET updated_at = now()
        RETURNING user_id`.first(db);
      if (linked?.userId !== userId) {
        throw conflict('This identity is already connected to another account: disconnect it there first');
      }
    },

    /** How many identities were removed. */
    unlinkIdentities: (userId: string): Promise<number> =>
      affectedRows`DELETE FROM accounts WHERE user_id = ${userId} AND provider_id = ${PROVIDER}`.execute(db),

    /** `issuer`: of this one only. */
    async hasIdentity(userId: string, issuer?: string): Promise<boolean> {
      const start = issuer === undefined ? '' : keyOf({ issuer, subject: '' });
      const { rows } = await sql`
        SELECT FROM accounts WHERE user_id = ${userId} AND provider_id = ${PROVIDER}
          AND starts_with(account_id, ${start})`.execute(db);
      return rows.length > 0;
    },
  };
}

/** Subjects are unique within their issuer only, and an issuer holds no space. */
const keyOf = ({ issuer, subject }: Identity) => `${issuer} ${subject}`;
