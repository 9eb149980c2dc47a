import { invalid } from '#lib/errors.ts';
import { openZip, type ZipArchive } from '#lib/zip-archive.ts';
import type { Context } from '#product/context.ts';
import { requireOneOf } from '#product/permissions.ts';
import { projectNotFound, selectProjects } from '#product/visible-projects.ts';
import type { DeobfuscationFile } from '#storage/ports/artifacts.ts';
import { MAPPING_ARCHIVE_LIMITS } from './archive-limits.ts';
import { debugIdOfName } from './mapping-facts.ts';
import { checkMapping, saveMapping } from './save-mapping.ts';
import { readBytes, storeBytes } from './store-bytes.ts';
import { MAPPING_ARCHIVE_BYTES_MAX, MAPPINGS_PER_REQUEST_MAX } from './upload-limits.ts';
import { UPLOAD_RIGHTS } from './upload-rights.ts';

/**
 * Takes the mappings, `proguard/<debug id>.txt`, out of an archive, of which nothing else is kept; none of an empty one,
 * which clients send when they ignored every file. Throws Invalid when it holds others only, too many, or is too large,
 * NotFound for the project, Conflict without room.
 */
export async function saveDeobfuscationArchive(
  ctx: Context,
  input: { projectSlug: string; body: AsyncIterable<Uint8Array> },
): Promise<readonly DeobfuscationFile[]> {
  requireOneOf(ctx, UPLOAD_RIGHTS);
  const [project] = await selectProjects(ctx, [input.projectSlug]);
  if (!project) throw projectNotFound(ctx, input.projectSlug);
  return await readBytes(ctx, input.body, MAPPING_ARCHIVE_BYTES_MAX, async (reader) => {
    const archive = await openZip(reader, MAPPING_ARCHIVE_LIMITS);
    const files: DeobfuscationFile[] = [];
    for (const name of findMappings(archive)) files.push(await saveOne(ctx, project.id, archive, name));
    return files;
  });
}

function findMappings({ entries }: ZipArchive): readonly string[] {
  const names = [...entries.keys()].filter((name) => debugIdOfName(name) !== null);
  if (names.length === 0 && entries.size > 0) {
    throw invalid('The archive holds no proguard/<debug id>.txt: only mappings of ProGuard and R8 are used');
  }
  if (names.length > MAPPINGS_PER_REQUEST_MAX) {
    throw invalid(
      `The archive holds ${names.length} mappings: send at most ${MAPPINGS_PER_REQUEST_MAX} at once`,
    );
  }
  return names;
}

async function saveOne(
  ctx: Context,
  projectId: number,
  archive: ZipArchive,
  name: string,
): Promise<DeobfuscationFile> {
  const { checksum, checked } = await storeBytes(
    ctx,
    archive.pieces(name, MAPPING_ARCHIVE_BYTES_MAX),
    { expected: null, bytesMax: archive.entries.get(name)?.bytes ?? 0 },
    (reader) => checkMapping(reader, { name, debugId: debugIdOfName(name) }),
  );
  return await saveMapping(ctx, { projectId, checksum, name, ...checked });
}
