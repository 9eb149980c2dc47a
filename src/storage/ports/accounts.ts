export const ROLES = ['viewer', 'member', 'admin', 'manager', 'owner'] as const;
/** Ordered by rights, fewest first. */
export type Role = (typeof ROLES)[number];

export type User = { id: string; email: string; name: string; isInstanceOwner: boolean };

export type Membership = { organizationId: number; userId: string; role: Role };

export type Member = User & { role: Role };

export type ApiToken = {
  id: number;
  organizationId: number;
  userId: string;
  name: string;
  scopes: readonly string[];
  /** Milliseconds since the epoch; null for no expiry. */
  expiresAt: number | null;
  lastUsedAt: number | null;
  createdAt: number;
};

/** What a one-time secret opens. */
export type OneTimePurpose = 'setup' | 'reset_password';

/** Users as the product sees them, memberships, tokens. Passwords and sessions belong to the Authenticator. */
export interface AccountStore {
  countUsers(): Promise<number>;
  findUserByEmail(email: string): Promise<User | null>;
  findUser(userId: string): Promise<User | null>;
  /** null until the instance is set up. */
  findInstanceOwner(): Promise<User | null>;
  /** Throws Conflict when another user is the instance's owner. */
  setInstanceOwner(userId: string): Promise<void>;
  addMembership(membership: Membership): Promise<void>;
  /** null when not a member. */
  findRole(organizationId: number, userId: string): Promise<Role | null>;
  /** Organizations of a user with the role in each. */
  listMemberships(userId: string): Promise<readonly Membership[]>;
  listMembers(organizationId: number): Promise<readonly Member[]>;
  /** Only the hash of a token is kept: 32 bytes, SHA-256. */
  createToken(input: {
    organizationId: number;
    userId: string;
    name: string;
    scopes: readonly string[];
    tokenHash: Uint8Array;
    expiresAt: number | null;
  }): Promise<ApiToken>;
  /** null when unknown or expired; notes the use. */
  findToken(tokenHash: Uint8Array, nowMs: number): Promise<ApiToken | null>;
  /** Replaces an earlier secret of the same purpose and user. */
  putOneTimeSecret(input: {
    purpose: OneTimePurpose;
    userId: string | null;
    secretHash: Uint8Array;
    expiresAt: number;
  }): Promise<void>;
  /** Whether the secret opens; does not use it up. */
  checkOneTimeSecret(purpose: OneTimePurpose, secretHash: Uint8Array, nowMs: number): Promise<boolean>;
  /** Uses the secret up, atomically; null when it is unknown, used or expired. */
  takeOneTimeSecret(
    purpose: OneTimePurpose,
    secretHash: Uint8Array,
    nowMs: number,
  ): Promise<{ userId: string | null } | null>;
  /** Runs the work while no other set-up runs, in this process or another. Throws Unavailable after 30 s of waiting. */
  withSetupLock<T>(work: () => Promise<T>): Promise<T>;
}

export type Session = { userId: string; email: string; name: string; isInstanceOwner: boolean };

/** Sign-in and sessions. Source: better-auth on PostgreSQL. */
export interface Authenticator {
  /** null when nobody is signed in. */
  findSession(headers: Headers): Promise<Session | null>;
  /** Answers the Set-Cookie values, or null when e-mail or password is wrong. Throws RateLimited when throttled. */
  signIn(input: { email: string; password: string; headers: Headers }): Promise<readonly string[] | null>;
  /** Answers the Set-Cookie values that end the session. */
  signOut(headers: Headers): Promise<readonly string[]>;
  /** Throws Conflict when the address is in use. */
  createUser(input: { email: string; name: string; password: string }): Promise<User>;
  /** Sets the password and ends every session of the user. */
  setPassword(userId: string, password: string): Promise<void>;
}
