import { type Kysely, sql } from 'kysely';
import { query, userNamed } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

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

const TOKENS_LISTED_MAX = 1_000;
/** A token that is used many times a second is noted once a minute. */
const USE_NOTED_EVERY_MS = 60_000;

/** Tokens that belong to an organization, not to a person. Source: PostgreSQL. */
export function createOrganizationTokenStore(db: Kysely<Database>) {
  return {
    /** Newest first. */
    list: (organizationId: number): Promise<readonly OrganizationToken[]> =>
      query<OrganizationToken>`
        SELECT ${COLUMNS} FROM organization_tokens t LEFT JOIN users u ON u.id = t.created_by
        WHERE t.organization_id = ${organizationId} ORDER BY t.id DESC LIMIT ${TOKENS_LISTED_MAX}
      `.execute(db),

    /** Only the hash of a token is kept: 32 bytes, SHA-256. */
    async create(token: {
      organizationId: number;
      name: string;
      scopes: readonly string[];
      tokenHash: Uint8Array;
      lastCharacters: string;
      createdBy: string | null;
      createdAt: number;
      expiresAt: number | null;
    }): Promise<OrganizationToken> {
      return (await query<OrganizationToken>`
        WITH t AS (
          INSERT INTO organization_tokens
            (organization_id, name, scopes, token_hash, last_characters, created_by, created_at, expires_at)
          VALUES (${token.organizationId}, ${token.name}, ${[...token.scopes]}, ${Buffer.from(token.tokenHash)},
            ${token.lastCharacters}, ${token.createdBy}, ${new Date(token.createdAt)},
            ${token.expiresAt === null ? null : new Date(token.expiresAt)})
          RETURNING *
        )
        SELECT ${COLUMNS} FROM t LEFT JOIN users u ON u.id = t.created_by`.first(db))!;
    },

    /** null when the organization has no such token. */
    rename: (organizationId: number, id: number, name: string): Promise<OrganizationToken | null> =>
      query<OrganizationToken>`
        WITH t AS (
          UPDATE organization_tokens SET name = ${name}
          WHERE organization_id = ${organizationId} AND id = ${id} RETURNING *
        )
        SELECT ${COLUMNS} FROM t LEFT JOIN users u ON u.id = t.created_by`.first(db),

    /** null when the organization has no such token. */
    remove: (organizationId: number, id: number): Promise<OrganizationToken | null> =>
      query<OrganizationToken>`
        WITH t AS (
          DELETE FROM organization_tokens WHERE organization_id = ${organizationId} AND id = ${id} RETURNING *
        )
        SELECT ${COLUMNS} FROM t LEFT JOIN users u ON u.id = t.created_by`.first(db),

    /** Answers what there was. */
    removeAll: (organizationId: number): Promise<readonly OrganizationToken[]> =>
      query<OrganizationToken>`
        WITH t AS (DELETE FROM organization_tokens WHERE organization_id = ${organizationId} RETURNING *)
        SELECT ${COLUMNS} FROM t LEFT JOIN users u ON u.id = t.created_by ORDER BY t.id`.execute(db),

    /** null when unknown or expired; notes the use, once a minute. */
    async find(tokenHash: Uint8Array, nowMs: number): Promise<OrganizationToken | null> {
      const token = await query<OrganizationToken>`
        SELECT ${COLUMNS} FROM organization_tokens t LEFT JOIN users u ON u.id = t.created_by
        WHERE t.token_hash = ${Buffer.from(tokenHash)}
          AND (t.expires_at IS NULL OR t.expires_at > ${new Date(nowMs)})`.first(db);
      if (!token) return null;
      if (nowMs - (token.lastUsedAt ?? 0) >= USE_NOTED_EVERY_MS) {
        await sql`
          UPDATE organization_tokens SET last_used_at = ${new Date(nowMs)} WHERE id = ${token.id}
        `.execute(db);
      }
      return token;
    },
  };
}

export type OrganizationTokenStore = ReturnType<typeof createOrganizationTokenStore>;

const COLUMNS = sql`t.id, t.organization_id, t.name, t.scopes, t.last_characters, t.created_at, t.last_used_at, t.expires_at,
  ${userNamed('u')} AS created_by`;
