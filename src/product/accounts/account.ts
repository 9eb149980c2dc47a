import type { Role, User } from '#domain/people.ts';

/** A user with what decides how the account opens. */
export type Profile = User & {
  /** False for an address that the user or an inviter wrote and nobody confirmed. */
  isEmailTrusted: boolean;
  hasPassword: boolean;
  hasTwoFactor: boolean;
};

/** What decides whether a member may open an organization. */
export type Access = { role: Role; requiresTwoFactor: boolean };

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
