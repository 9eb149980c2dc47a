import { type Kysely, sql } from 'kysely';
import type { ArtifactStore, Checksum } from '#storage/ports/artifacts.ts';
import type { Database } from './schema.ts';

type Chunks = Pick<
  ArtifactStore,
  'findChunks' | 'rememberChunk' | 'forgetChunks' | 'findUnneeded' | 'sumBytes'
>;

export function createArtifactChunks(db: Kysely<Database>): Chunks {
  return {
    async findChunks(organizationId, checksums, uploadedAfter) {
      const { rows } = await sql<{ checksum: Checksum }>`
        SELECT encode(checksum, 'hex') AS checksum FROM upload_chunks
        WHERE organization_id = ${organizationId} AND checksum = ANY(${bytesOf(checksums)}::bytea[])
          AND uploaded_at > ${new Date(uploadedAfter)}`.execute(db);
      return new Set(rows.map(({ checksum }) => checksum));
    },

    async rememberChunk(organizationId, checksum, bytes, uploadedAt) {
      await sql`
        INSERT INTO upload_chunks (organization_id, checksum, bytes, uploaded_at)
        VALUES (${organizationId}, decode(${checksum}, 'hex'), ${bytes}, ${new Date(uploadedAt)})
        ON CONFLICT (organization_id, checksum) DO UPDATE
          SET uploaded_at = greatest(upload_chunks.uploaded_at, excluded.uploaded_at)`.execute(db);
    },

    async forgetChunks(uploadedBefore, limit) {
      const { numAffectedRows } = await sql`
        DELETE FROM upload_chunks WHERE (organization_id, checksum) IN (
          SELECT organization_id, checksum FROM upload_chunks WHERE uploaded_at < ${new Date(uploadedBefore)}
          ORDER BY uploaded_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
        )`.execute(db);
      return Number(numAffectedRows ?? 0n);
    },

    findUnneeded: (organizationId, checksums) => findUnneeded(db, organizationId, checksums),

    async sumBytes(organizationId) {
      const { rows } = await sql<{ bytes: number }>`
        SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM (
          SELECT checksum, bytes FROM upload_chunks WHERE organization_id = ${organizationId}
          UNION SELECT checksum, bytes FROM artifact_bundles WHERE organization_id = ${organizationId}
          UNION SELECT checksum, bytes FROM deobfuscation_files WHERE organization_id = ${organizationId}
        ) AS uploads`.execute(db);
      return rows[0]?.bytes ?? 0;
    },
  };
}

/** Of those given, the ones whose bytes no row needs. */
export async function findUnneeded(
  db: Kysely<Database>,
  organizationId: number,
  checksums: readonly Checksum[],
): Promise<readonly Checksum[]> {
  if (checksums.length === 0) return [];
  const { rows } = await sql<{ checksum: Checksum }>`
    SELECT encode(asked, 'hex') AS checksum FROM unnest(${bytesOf([...new Set(checksums)])}::bytea[]) AS asked
    WHERE NOT EXISTS (SELECT FROM upload_chunks WHERE organization_id = ${organizationId} AND checksum = asked)
      AND NOT EXISTS (SELECT FROM artifact_bundles WHERE organization_id = ${organizationId} AND checksum = asked)
      AND NOT EXISTS (
        SELECT FROM deobfuscation_files WHERE organization_id = ${organizationId} AND checksum = asked)
    `.execute(db);
  return rows.map(({ checksum }) => checksum);
}

/** As PostgreSQL writes bytes in a list. */
export const bytesOf = (checksums: readonly Checksum[]): readonly string[] =>
  checksums.map((checksum) => `\\x${checksum}`);
