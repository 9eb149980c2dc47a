/** A program that registered itself. Its name is what it says of itself. */
export type OauthClient = {
  id: string;
  name: string;
  /** Where people may be sent back to; never empty. */
  redirectUris: readonly string[];
  /** Milliseconds since the epoch. */
  createdAt: number;
};

/** What a person allowed a program. */
export type OauthGrant = {
  id: number;
  clientId: string;
  clientName: string;
  userId: string;
  organizationId: number;
  scopes: readonly string[];
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** null: never used. */
  lastUsedAt: number | null;
};

/** What the exchange of a code must fit. */
export type OauthCode = {
  /** SHA-256 of the verifier in base64url, as RFC 7636 has it. */
  challenge: string;
  redirectUri: string;
};

/** SHA-256 of tokens, and when they end (milliseconds since the epoch). */
export type OauthTokenPair = {
  accessHash: Uint8Array;
  accessExpiresAt: number;
  refreshHash: Uint8Array;
  refreshExpiresAt: number;
};

/** Programs that act for people, by OAuth. Source: PostgreSQL. What has expired is as good as gone, and deleted by and by. */
export interface OauthStore {
  /** Of clients that nobody allowed anything, those go that came before `sinceMs`, and the oldest beyond `max`. */
  addClient(client: OauthClient, unused: { sinceMs: number; max: number }): Promise<void>;
  findClient(id: string): Promise<OauthClient | null>;
  addGrant(input: {
    clientId: string;
    userId: string;
    organizationId: number;
    scopes: readonly string[];
    codeHash: Uint8Array;
    code: OauthCode;
    codeExpiresAt: number;
    createdAt: number;
  }): Promise<number>;
  /**
   * Redeems a code, once. null when it is unknown or expired. One that was used before ends its grant, since two know it: null as
   * well.
   */
  redeemCode(codeHash: Uint8Array, nowMs: number): Promise<{ grant: OauthGrant; code: OauthCode } | null>;
  /**
   * The grant's new tokens; former access tokens go on until they end. Earlier grants of the same program end. False when
   * the grant has ended meanwhile.
   */
  addTokens(grantId: number, tokens: OauthTokenPair, nowMs: number): Promise<boolean>;
  /**
   * Redeems a refresh token, once. null when it is unknown or expired. One that was used longer than `graceMs` ago ends its
   * grant: null as well. Within that time the answer to the program may have been lost, and it may ask again.
   */
  redeemRefreshToken(refreshHash: Uint8Array, nowMs: number, graceMs: number): Promise<OauthGrant | null>;
  /** null when the token is unknown or expired; notes the use, once a minute. */
  findByAccessToken(accessHash: Uint8Array, nowMs: number): Promise<OauthGrant | null>;
  /** Ends the grant that a token of either kind is of, when it is the client's. */
  endByToken(tokenHash: Uint8Array, clientId: string): Promise<void>;
  /** Of a person, newest first; those whose code was never exchanged are left out. */
  listGrants(userId: string, nowMs: number): Promise<readonly OauthGrant[]>;
  /** False when the person has no such grant. */
  endGrant(userId: string, grantId: number): Promise<boolean>;
  /** All of the person, those whose code is still to be exchanged too; answers the ones that were listed. */
  endGrants(userId: string, nowMs: number): Promise<readonly OauthGrant[]>;
  endGrantById(grantId: number): Promise<void>;
}
