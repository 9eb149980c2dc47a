import type { Readable } from 'node:stream';
import { notFound } from '#lib/errors.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, toPage } from '#product/cursor.ts';
import { requireOneOf, requireRight } from '#product/permissions.ts';
import { selectProject } from '#product/visible-projects.ts';
import type { DebugFileKind, DeobfuscationFile } from './artifact.ts';
import { FILE_PLACE } from './bundle-files.ts';
import { openStored } from './open-stored.ts';
import { ARTIFACT_READ_RIGHTS } from './upload-projects.ts';

/** Mappings and symbol files of a project; `search` keeps those with a name or a debug id like it. Throws NotFound. */
export async function listDeobfuscationFiles(
  ctx: Context,
  input: {
    projectSlug: string;
    /** Absent for all. */
    kind?: DebugFileKind;
    search: string;
    cursor: string | null;
    limit: number;
  },
): Promise<{ files: readonly DeobfuscationFile[]; nextCursor: string | null }> {
  requireOneOf(ctx, ARTIFACT_READ_RIGHTS);
  checkLimit(input.limit);
  const project = await selectProject(ctx, input.projectSlug);
  const files = await ctx.stores.artifacts.listDeobfuscationFiles(ctx.organization.id, project.id, {
    kind: input.kind ?? null,
    search: input.search.trim(),
    limit: input.limit + 1,
    afterId: decodeCursor(input.cursor, FILE_PLACE),
  });
  const { page, nextCursor } = toPage(files, input.limit, ({ id }) => id);
  return { files: page, nextCursor };
}

/** Throws NotFound. */
export async function getDeobfuscationFile(
  ctx: Context,
  input: { projectSlug: string; fileId: number },
): Promise<DeobfuscationFile> {
  requireOneOf(ctx, ARTIFACT_READ_RIGHTS);
  const project = await selectProject(ctx, input.projectSlug);
  const { artifacts } = ctx.stores;
  const file = await artifacts.findDeobfuscationFileById(ctx.organization.id, project.id, input.fileId);
  if (!file) throw notFound(`Debug file not found in project ${project.slug}: list its debug files`);
  return file;
}

/** The bytes of a file as they were uploaded. Throws NotFound. */
export async function openDeobfuscationFile(
  ctx: Context,
  input: { projectSlug: string; fileId: number },
): Promise<{ file: DeobfuscationFile; content: Readable; bytes: number }> {
  const file = await getDeobfuscationFile(ctx, input);
  return { file, ...(await openStored(ctx, file.checksum)) };
}

/** Deletes a file; its bytes go within two hours. Throws NotFound. */
export async function deleteDeobfuscationFile(
  ctx: Context,
  input: { projectSlug: string; fileId: number },
): Promise<void> {
  requireRight(ctx, 'project:write');
  const file = await getDeobfuscationFile(ctx, input);
  await audited(
    ctx,
    (ctx) => ctx.stores.artifacts.deleteDeobfuscationFile(ctx.organization.id, file.projectId, file.id),
    () => ({
      action: 'deobfuscation-file.remove',
      target: { kind: 'deobfuscation_file', id: file.id, name: file.debugId },
      data: { project: input.projectSlug, name: file.name },
    }),
  );
}
