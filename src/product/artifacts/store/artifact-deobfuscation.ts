import { type Kysely, type RawBuilder, sql } from 'kysely';
import { invalid, notFound } from '#lib/errors.ts';
import type { Checksum } from '#storage/ports/artifact-files.ts';
import { notifyArtifacts } from '#storage/sql/notices.ts';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableText } from '#storage/sql/storable-json.ts';
import type { DebugFileKind, DeobfuscationFile } from '../artifact.ts';
import { findUnneeded } from './artifact-bundles.ts';

const USED_EVERY_MS = 60 * 60 * 1000;
const DEBUG_ID = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:-([0-9a-f]{1,8}))?$/;
const COLUMNS = sql`id, project_id, kind, arch, encode(checksum, 'hex') AS checksum, name, bytes, uploaded_at,
  debug_id::text || CASE WHEN age = 0 THEN '' ELSE '-' || to_hex(age) END AS debug_id`;

/** null for what is no such id. */
function splitDebugId(debugId: string): { uuid: string; age: number } | null {
  const [, uuid, age] = DEBUG_ID.exec(debugId) ?? [];
  return uuid === undefined ? null : { uuid, age: Number.parseInt(age ?? '0', 16) };
}

export function createArtifactDeobfuscation(db: Kysely<Database>) {
  const read = async (
    [organizationId, projectId]: readonly [number, number],
    rest: RawBuilder<unknown>,
  ): Promise<DeobfuscationFile[]> => {
    return await query<DeobfuscationFile>`
      SELECT ${COLUMNS} FROM deobfuscation_files
      WHERE organization_id = ${organizationId} AND project_id = ${projectId} ${rest}`.execute(db);
  };

  return {
    /** The same file again is the one that there is; tells digest. */
    async saveDeobfuscationFile(
      organizationId: number,
      { projectId, kind, debugId, arch, checksum, name, bytes, uploadedAt }: Omit<DeobfuscationFile, 'id'>,
    ): Promise<DeobfuscationFile> {
      const at = new Date(uploadedAt);
      const id = splitDebugId(debugId);
      if (!id) throw invalid(`"${debugId.slice(0, 80)}" is not a debug ID`);
      return await db.transaction().execute(async (transaction) => {
        const file = await query<DeobfuscationFile>`
          INSERT INTO deobfuscation_files
            (organization_id, project_id, kind, debug_id, age, arch, checksum, name, bytes, uploaded_at, used_at)
          SELECT organization_id, id, ${kind}, ${id.uuid}::uuid, ${id.age}, ${arch}, decode(${checksum}, 'hex'),
            ${toStorableText(name)}, ${bytes}, ${at}, ${at}
          FROM projects WHERE organization_id = ${organizationId} AND id = ${projectId}
          ON CONFLICT (project_id, debug_id, checksum) DO UPDATE SET name = excluded.name,
            uploaded_at = greatest(deobfuscation_files.uploaded_at, excluded.uploaded_at)
          RETURNING ${COLUMNS}`.first(transaction);
        if (!file) throw notFound('The project of the upload no longer exists: check its slug');
        await notifyArtifacts(transaction, organizationId);
        return file;
      });
    },

    /** The newest with the debug id; null when there is none. */
    async findDeobfuscationFile(
      organizationId: number,
      projectId: number,
      debugId: string,
      kind: DebugFileKind,
    ): Promise<DeobfuscationFile | null> {
      const id = splitDebugId(debugId);
      if (!id) return null;
      const [file] = await read(
        [organizationId, projectId],
        sql`AND debug_id = ${id.uuid}::uuid AND age = ${id.age} AND kind = ${kind}
          ORDER BY uploaded_at DESC, id DESC LIMIT 1`,
      );
      return file ?? null;
    },

    /** Whether symbols of native code were uploaded for the project. */
    async hasDebugFiles(organizationId: number, projectId: number): Promise<boolean> {
      const files = await read(
        [organizationId, projectId],
        sql`AND kind = ${'breakpad' satisfies DebugFileKind} LIMIT 1`,
      );
      return files.length > 0;
    },

    async findDeobfuscationFileByChecksum(
      organizationId: number,
      projectId: number,
      checksum: Checksum,
    ): Promise<DeobfuscationFile | null> {
      const [file] = await read(
        [organizationId, projectId],
        sql`AND checksum = decode(${checksum}, 'hex') ORDER BY uploaded_at DESC, id DESC LIMIT 1`,
      );
      return file ?? null;
    },

    async findDeobfuscationFileById(
      organizationId: number,
      projectId: number,
      id: number,
    ): Promise<DeobfuscationFile | null> {
      const [file] = await read([organizationId, projectId], sql`AND id = ${id}`);
      return file ?? null;
    },

    /** By id; `search` looks in names and debug ids; `kind` null for all. */
    async listDeobfuscationFiles(
      organizationId: number,
      projectId: number,
      {
        kind,
        search,
        limit,
        afterId,
      }: { kind: DebugFileKind | null; search: string; limit: number; afterId: number | null },
    ): Promise<readonly DeobfuscationFile[]> {
      const text = toStorableText(search);
      return await read(
        [organizationId, projectId],
        sql`${
          search === ''
            ? sql``
            : sql`AND (position(lower(${text}) IN lower(name)) > 0
            OR position(replace(lower(${text}), '-', '') IN replace(debug_id::text, '-', '')) > 0)`
        }
          ${kind === null ? sql`` : sql`AND kind = ${kind}`}
          ${afterId === null ? sql`` : sql`AND id > ${afterId}`} ORDER BY id LIMIT ${limit}`,
      );
    },

    /** Answers the bytes that nobody needs any more. */
    async deleteDeobfuscationFile(
      organizationId: number,
      projectId: number,
      id: number,
    ): Promise<readonly Checksum[]> {
      return await db.transaction().execute(async (transaction) => {
        const row = await query<{ checksum: Checksum }>`
          DELETE FROM deobfuscation_files
          WHERE organization_id = ${organizationId} AND project_id = ${projectId} AND id = ${id}
          RETURNING encode(checksum, 'hex') AS checksum`.first(transaction);
        if (!row) return [];
        await notifyArtifacts(transaction, organizationId);
        return await findUnneeded(transaction, organizationId, [row.checksum]);
      });
    },

    /** Notes the first use since the upload, and then one where the last is more than an hour old. */
    async touchDeobfuscationFiles(ids: readonly number[], usedAt: number): Promise<void> {
      if (ids.length === 0) return;
      await sql`
        UPDATE deobfuscation_files SET used_at = ${new Date(usedAt)}
        WHERE id = ANY(${ids}::bigint[])
          AND (used_at = uploaded_at OR used_at < ${new Date(usedAt - USED_EVERY_MS)})`.execute(db);
    },

    /** Forgets at most `limit` that were neither used nor uploaded since then; answers how many. */
    async forgetUnusedDeobfuscationFiles(usedBefore: number, limit: number): Promise<number> {
      const before = new Date(usedBefore);
      return await affectedRows`
        DELETE FROM deobfuscation_files WHERE id IN (
          SELECT id FROM deobfuscation_files WHERE used_at < ${before} AND uploaded_at < ${before}
          ORDER BY id LIMIT ${limit}
        )`.execute(db);
    },
  };
}
