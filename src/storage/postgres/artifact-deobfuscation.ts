import { type Kysely, type RawBuilder, sql } from 'kysely';
import { notFound } from '#lib/errors.ts';
import { HOUR_MS } from '#lib/time.ts';
import type { ArtifactStore, Checksum, DeobfuscationFile } from '#storage/ports/artifacts.ts';
import { findUnneeded } from './artifact-chunks.ts';
import { notifyArtifacts } from './artifact-notices.ts';
import type { Database } from './schema.ts';
import { toStorableText } from './storable-json.ts';

const USED_EVERY_MS = HOUR_MS;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const COLUMNS = sql`id, project_id, debug_id, encode(checksum, 'hex') AS checksum, name, bytes, uploaded_at`;

type Deobfuscation = Pick<
  ArtifactStore,
  | 'saveDeobfuscationFile'
  | 'findDeobfuscationFile'
  | 'findDeobfuscationFileByChecksum'
  | 'findDeobfuscationFileById'
  | 'listDeobfuscationFiles'
  | 'deleteDeobfuscationFile'
  | 'touchDeobfuscationFiles'
  | 'forgetUnusedDeobfuscationFiles'
>;

type Row = {
  id: number;
  project_id: number;
  debug_id: string;
  checksum: Checksum;
  name: string;
  bytes: number;
  uploaded_at: Date;
};

export function createArtifactDeobfuscation(db: Kysely<Database>): Deobfuscation {
  const read = async (
    [organizationId, projectId]: readonly [number, number],
    rest: RawBuilder<unknown>,
  ): Promise<DeobfuscationFile[]> => {
    const { rows } = await sql<Row>`
      SELECT ${COLUMNS} FROM deobfuscation_files
      WHERE organization_id = ${organizationId} AND project_id = ${projectId} ${rest}`.execute(db);
    return rows.map(toFile);
  };

  return {
    async saveDeobfuscationFile(organizationId, { projectId, debugId, checksum, name, bytes, uploadedAt }) {
      const at = new Date(uploadedAt);
      return await db.transaction().execute(async (transaction) => {
        const { rows } = await sql<Row>`
          INSERT INTO deobfuscation_files
            (organization_id, project_id, debug_id, checksum, name, bytes, uploaded_at, used_at)
          SELECT organization_id, id, ${debugId}::uuid, decode(${checksum}, 'hex'), ${toStorableText(name)}, ${bytes},
            ${at}, ${at}
          FROM projects WHERE organization_id = ${organizationId} AND id = ${projectId}
          ON CONFLICT (project_id, debug_id, checksum) DO UPDATE SET name = excluded.name,
            uploaded_at = greatest(deobfuscation_files.uploaded_at, excluded.uploaded_at)
          RETURNING ${COLUMNS}`.execute(transaction);
        const [row] = rows;
        if (!row) throw notFound('The project of the upload does not exist any more: check its slug');
        await notifyArtifacts(transaction, organizationId);
        return toFile(row);
      });
    },

    async findDeobfuscationFile(organizationId, projectId, debugId) {
      if (!UUID.test(debugId)) return null;
      const [file] = await read(
        [organizationId, projectId],
        sql`AND debug_id = ${debugId}::uuid ORDER BY uploaded_at DESC, id DESC LIMIT 1`,
      );
      return file ?? null;
    },

    async findDeobfuscationFileByChecksum(organizationId, projectId, checksum) {
      const [file] = await read(
        [organizationId, projectId],
        sql`AND checksum = decode(${checksum}, 'hex') ORDER BY uploaded_at DESC, id DESC LIMIT 1`,
      );
      return file ?? null;
    },

    async findDeobfuscationFileById(organizationId, projectId, id) {
      const [file] = await read([organizationId, projectId], sql`AND id = ${id}`);
      return file ?? null;
    },

    async listDeobfuscationFiles(organizationId, projectId, { search, limit, afterId }) {
      const text = toStorableText(search);
      return await read(
        [organizationId, projectId],
        sql`${
          search === ''
            ? sql``
            : sql`AND (position(lower(${text}) IN lower(name)) > 0
            OR position(replace(lower(${text}), '-', '') IN replace(debug_id::text, '-', '')) > 0)`
        }
          ${afterId === null ? sql`` : sql`AND id > ${afterId}`} ORDER BY id LIMIT ${limit}`,
      );
    },

    async deleteDeobfuscationFile(organizationId, projectId, id) {
      return await db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ checksum: Checksum }>`
          DELETE FROM deobfuscation_files
          WHERE organization_id = ${organizationId} AND project_id = ${projectId} AND id = ${id}
          RETURNING encode(checksum, 'hex') AS checksum`.execute(transaction);
        const [row] = rows;
        if (!row) return [];
        await notifyArtifacts(transaction, organizationId);
        return await findUnneeded(transaction, organizationId, [row.checksum]);
      });
    },

    async touchDeobfuscationFiles(ids, usedAt) {
      if (ids.length === 0) return;
      await sql`
        UPDATE deobfuscation_files SET used_at = ${new Date(usedAt)}
        WHERE id = ANY(${ids}::bigint[])
          AND (used_at = uploaded_at OR used_at < ${new Date(usedAt - USED_EVERY_MS)})`.execute(db);
    },

    async forgetUnusedDeobfuscationFiles(usedBefore, limit) {
      const before = new Date(usedBefore);
      const { numAffectedRows } = await sql`
        DELETE FROM deobfuscation_files WHERE id IN (
          SELECT id FROM deobfuscation_files WHERE used_at < ${before} AND uploaded_at < ${before}
          ORDER BY id LIMIT ${limit}
        )`.execute(db);
      return Number(numAffectedRows ?? 0n);
    },
  };
}

const toFile = (row: Row): DeobfuscationFile => ({
  id: row.id,
  projectId: row.project_id,
  debugId: row.debug_id,
  checksum: row.checksum,
  name: row.name,
  bytes: row.bytes,
  uploadedAt: row.uploaded_at.getTime(),
});
