import type { Role, User } from '#domain/people.ts';

/** Of someone who has passed every factor of the account: before the second step there is none. */
export type Session = {
  sessionId: string;
  userId: string;
  email: string;
  name: string;
  isInstanceOwner: boolean;
  /** Whether the account has one. */
  hasTwoFactorEnabled: boolean;
  /** When the person signed in, in milliseconds. */
  createdAt: number;
};

/** Set-Cookie values for the browser. While `needsSecondFactor`, they open the second step only. */
export type SignInResult = { cookies: readonly string[]; needsSecondFactor: boolean };

/** Sign-in and sessions. Every method that takes a secret throws RateLimited when it was tried too often. */
export interface Authenticator {
  /** null when nobody is signed in. Counts as a use of the session. */
  findSession(headers: Headers): Promise<Session | null>;
  /** null when e-mail or password is wrong. */
  signIn(input: { email: string; password: string; headers: Headers }): Promise<SignInResult | null>;
  /** A session for a user who was recognized in another way; the second factor is asked for all the same. */
  openSession(input: { userId: string; headers: Headers }): Promise<SignInResult>;
  /** Answers the Set-Cookie values that end the session. */
  signOut(headers: Headers): Promise<readonly string[]>;
  /**
   * Without a password the account opens by single sign-on only. `isEmailTrusted`: the operator or the identity
   * provider named the address; false when somebody else did, who may not read mail there. True unless said.
   * Throws Conflict when the address is in use.
   */
  createUser(input: {
    email: string;
    name: string;
    password: string | null;
    isEmailTrusted?: boolean;
  }): Promise<User>;
  /** Whether this is the password of the user; false when there is none. */
  checkPassword(input: { userId: string; password: string }): Promise<boolean>;
  /**
   * Sets the password and ends the sessions of the user, all but `keepSessionId`. Trusted browsers are forgotten, and
   * links for a new password or another address open nothing any more.
   */
  setPassword(userId: string, password: string, keepSessionId?: string): Promise<void>;
  /**
   * The Set-Cookie values by which the sign-in page knows a browser whose person has proved to be this user: it has
   * tries of its own there, until the password changes. A sign-in has them among its cookies.
   */
  knowDevice(userId: string): Promise<readonly string[]>;
  sessions: SessionStore;
  secondFactor: SecondFactor;
  passkeys: Passkeys;
  /** null when the operator has not set it up. */
  singleSignOn: SingleSignOn | null;
}

export type OpenSession = {
  id: string;
  createdAt: number;
  /** Exact to five minutes. */
  lastUsedAt: number;
  /** When it ends unless it is used before, and at the latest. */
  endsAt: number;
  /** Empty when unknown. */
  ipAddress: string;
  /** As the browser named itself; empty when it did not. */
  userAgent: string;
};

export type SessionLimits = {
  /** How long a session may go unused. */
  idleMsMax: number;
  /** How long it lasts in any case. */
  ageMsMax: number;
};

export interface SessionStore {
  limits: SessionLimits;
  /** Whether it has not ended meanwhile. Is no use of it. */
  isOpen(sessionId: string): Promise<boolean>;
  /** Most recently used first. */
  list(userId: string): Promise<readonly OpenSession[]>;
  /** False when the user has no such session. */
  end(userId: string, sessionId: string): Promise<boolean>;
  /** Ends all but the kept one; answers how many. */
  endOthers(userId: string, keepSessionId: string): Promise<number>;
}

/** Codes of an authenticator app (TOTP, RFC 6238) and recovery codes. */
export interface SecondFactor {
  /** null while it is off. */
  findStatus(userId: string): Promise<{ recoveryCodesLeft: number } | null>;
  /**
   * A new secret that counts from `confirm` on. `uri` is what the app scans; recovery codes are shown once.
   * `password` as typed when the account has one. Throws Conflict when it is on already.
   */
  begin(input: {
    password: string | null;
    headers: Headers;
  }): Promise<{ uri: string; secret: string; recoveryCodes: readonly string[] }>;
  /** Switches it on; null when the code is wrong. The session is replaced, and every other one ends. */
  confirm(input: { userId: string; code: string; headers: Headers }): Promise<readonly string[] | null>;
  /** The user who has shown the first factor and owes the second; null when nobody, or too long ago. */
  findChallenged(headers: Headers): Promise<string | null>;
  /**
   * The second step of a sign-in. `trustsBrowser`: do not ask this browser for 30 days. null when the code is wrong.
   * Throws Unauthorized when the first step is too long ago.
   */
  verify(input: {
    kind: 'app' | 'recovery';
    code: string;
    trustsBrowser: boolean;
    headers: Headers;
  }): Promise<readonly string[] | null>;
  /** New recovery codes in place of all earlier ones. */
  renewRecoveryCodes(input: { password: string | null; headers: Headers }): Promise<readonly string[]>;
  /**
   * Switches it off when the code of app or recovery is right, else null. The session is replaced, and every other one
   * ends.
   */
  disable(input: {
    userId: string;
    password: string | null;
    code: string;
    headers: Headers;
  }): Promise<readonly string[] | null>;
}

export type Passkey = {
  id: string;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
  /** Kept by a service that copies it to other devices. */
  isSynced: boolean;
};

/** What a browser's credential call takes and gives, as JSON. Source: Web Authentication, level 3. */
export type CredentialJson = Readonly<Record<string, unknown>>;

export interface Passkeys {
  /** False where browsers refuse them: plain http, or an address that is a number. */
  areAvailable: boolean;
  list(userId: string): Promise<readonly Passkey[]>;
  beginRegistration(headers: Headers): Promise<{ options: CredentialJson; cookies: readonly string[] }>;
  /** Throws Invalid when the credential does not fit the challenge. */
  finishRegistration(input: { name: string; response: CredentialJson; headers: Headers }): Promise<void>;
  /** False when the user has no such passkey. */
  rename(userId: string, passkeyId: string, name: string): Promise<boolean>;
  remove(userId: string, passkeyId: string): Promise<boolean>;
  beginSignIn(headers: Headers): Promise<{ options: CredentialJson; cookies: readonly string[] }>;
  /** The cookies of a session; null when the credential is unknown or does not fit the challenge. */
  finishSignIn(input: { response: CredentialJson; headers: Headers }): Promise<readonly string[] | null>;
}

/** What the identity provider vouches for. */
export type SingleSignOnClaims = {
  issuer: string;
  subject: string;
  /** null when the provider names none. */
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
};

/** Sign-in at one OpenID Connect provider, by code with PKCE. */
export interface SingleSignOn {
  /** As it stands on the button. */
  name: string;
  /** Lower case; empty: any. */
  allowedDomains: readonly string[];
  /** Where people without an account are let in; null: nowhere. */
  autoJoin: { organizationSlug: string; role: Role } | null;
  /** `linkUserId`: connect the identity to this user instead of signing in. Throws Unavailable. */
  begin(input: {
    next: string;
    linkUserId: string | null;
  }): Promise<{ url: string; cookies: readonly string[] }>;
  /**
   * The provider's answer, checked. `cookies` forget what `begin` kept. null when the answer does not belong to a
   * sign-in of this browser, or the provider refused. Throws Unavailable.
   */
  finish(input: { query: URLSearchParams; headers: Headers }): Promise<{
    claims: SingleSignOnClaims;
    next: string;
    linkUserId: string | null;
    cookies: readonly string[];
  } | null>;
}
