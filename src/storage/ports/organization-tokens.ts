export type OrganizationToken = {
  id: number;
  organizationId: number;
  name: string;
  scopes: readonly string[];
  /** The last four, to tell tokens apart. */
  lastCharacters: string;
  createdBy: { id: string; name: string } | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** null: never used. */
  lastUsedAt: number | null;
  /** null: it does not expire. */
  expiresAt: number | null;
};

/** Tokens that belong to an organization, not to a person. Source: PostgreSQL. */
export interface OrganizationTokenStore {
  /** Newest first. */
  list(organizationId: number): Promise<readonly OrganizationToken[]>;
  /** Only the hash of a token is kept: 32 bytes, SHA-256. */
  create(input: {
    organizationId: number;
    name: string;
    scopes: readonly string[];
    tokenHash: Uint8Array;
    lastCharacters: string;
    createdBy: string | null;
    createdAt: number;
    expiresAt: number | null;
  }): Promise<OrganizationToken>;
  /** null when the organization has no such token. */
  rename(organizationId: number, id: number, name: string): Promise<OrganizationToken | null>;
  /** null when the organization has no such token. */
  remove(organizationId: number, id: number): Promise<OrganizationToken | null>;
  /** Answers what there was. */
  removeAll(organizationId: number): Promise<readonly OrganizationToken[]>;
  /** null when unknown or expired; notes the use, once a minute. */
  find(tokenHash: Uint8Array, nowMs: number): Promise<OrganizationToken | null>;
}
