export const ROLES = ['viewer', 'member', 'admin', 'manager', 'owner'] as const;
/** Ordered by rights, fewest first. */
export type Role = (typeof ROLES)[number];

export type User = { id: string; email: string; name: string; isInstanceOwner: boolean };

/** A user with what decides how the account opens. */
export type Profile = User & {
  /** False for an address that the user or an inviter wrote and nobody confirmed. */
  isEmailTrusted: boolean;
  hasPassword: boolean;
  hasTwoFactor: boolean;
};

export type Membership = { organizationId: number; userId: string; role: Role };

/** What decides whether a member may open an organization. */
export type Access = { role: Role; requiresTwoFactor: boolean };

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

/** Who somebody is to the single sign-on of the instance. */
export type Identity = { issuer: string; subject: string };

/** What a one-time secret opens. */
export type OneTimePurpose = 'setup' | 'reset_password';

/** Users as the product sees them, memberships, tokens. Passwords and sessions belong to the Authenticator. */
export interface AccountStore {
  countUsers(): Promise<number>;
  findUserByEmail(email: string): Promise<User | null>;
  findUser(userId: string): Promise<User | null>;
  findProfile(userId: string): Promise<Profile | null>;
  renameUser(userId: string, name: string): Promise<void>;
  /**
   * Switches the second factor off without a code: for an operator whose user lost the app. Every session of the user
   * ends. False when it was off.
   */
  removeTwoFactor(userId: string): Promise<boolean>;
  /** null until the instance is set up. */
  findInstanceOwner(): Promise<User | null>;
  /** Throws Conflict when another user is the instance's owner. */
  setInstanceOwner(userId: string): Promise<void>;
  addMembership(membership: Membership): Promise<void>;
  /** null when not a member. */
  findRole(organizationId: number, userId: string): Promise<Role | null>;
  /** Role and policy in one look; null when not a member. */
  findAccess(organizationId: number, userId: string): Promise<Access | null>;
  /** Throws NotFound without the organization. */
  requiresTwoFactor(organizationId: number): Promise<boolean>;
  setTwoFactorRequired(organizationId: number, isRequired: boolean): Promise<void>;
  /** How many members have no second factor. */
  countWithoutTwoFactor(organizationId: number): Promise<number>;
  /** Slugs of the organizations of a user that require a second factor. */
  listTwoFactorOrganizations(userId: string): Promise<readonly string[]>;
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
  /** Of the user, in every organization, newest first. */
  listTokens(userId: string): Promise<readonly ApiToken[]>;
  /** False when the user has no such token. */
  deleteToken(userId: string, tokenId: number): Promise<boolean>;
  /** All of the user, in every organization; answers what they were. */
  deleteTokens(userId: string): Promise<readonly ApiToken[]>;
  /** null when nobody is linked. */
  findUserByIdentity(identity: Identity): Promise<User | null>;
  /** Throws Conflict when the identity belongs to another user. */
  linkIdentity(userId: string, identity: Identity): Promise<void>;
  /** How many identities were removed. */
  unlinkIdentities(userId: string): Promise<number>;
  /** `issuer`: of this one only. */
  hasIdentity(userId: string, issuer?: string): Promise<boolean>;
  /** Replaces an earlier wish of the user. */
  putEmailChange(input: {
    userId: string;
    email: string;
    isMailed: boolean;
    secretHash: Uint8Array;
    expiresAt: number;
  }): Promise<void>;
  /** The address that the link would set for this user; does not use it up. */
  checkEmailChange(userId: string, secretHash: Uint8Array, nowMs: number): Promise<string | null>;
  /**
   * Uses the user's link up and changes the address, in one transaction; null when it is unknown, used, expired or of
   * another user. Links for a new password, which the old address was sent, open nothing any more. Throws Conflict when
   * somebody else has the address by now.
   */
  takeEmailChange(
    userId: string,
    secretHash: Uint8Array,
    nowMs: number,
  ): Promise<{ oldEmail: string; email: string } | null>;
  /** Replaces an earlier secret of the same purpose and user. */
  putOneTimeSecret(input: {
    purpose: OneTimePurpose;
    userId: string | null;
    secretHash: Uint8Array;
    expiresAt: number;
  }): Promise<void>;
  /** Whether the secret opens; does not use it up. */
  checkOneTimeSecret(purpose: OneTimePurpose, secretHash: Uint8Array, nowMs: number): Promise<boolean>;
  /** The user whose secret opens; null when it is unknown, used, expired or nobody's. Does not use it up. */
  findOneTimeSecretUser(purpose: OneTimePurpose, secretHash: Uint8Array, nowMs: number): Promise<User | null>;
  /** Uses the secret up, atomically; null when it is unknown, used or expired. */
  takeOneTimeSecret(
    purpose: OneTimePurpose,
    secretHash: Uint8Array,
    nowMs: number,
  ): Promise<{ userId: string | null } | null>;
  /** Runs the work while no other set-up runs, in this process or another. Throws Unavailable after 30 s of waiting. */
  withSetupLock<T>(work: () => Promise<T>): Promise<T>;
}
