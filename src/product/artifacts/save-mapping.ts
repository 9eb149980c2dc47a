import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import type { ArtifactFileReader } from '#storage/ports/artifact-files.ts';
import type { DeobfuscationFile } from '#storage/ports/artifacts.ts';
import { debugIdOfContent, isMapping } from './mapping-facts.ts';

const NAME_CHARACTERS_MAX = 1_000;

/**
 * What is to be known of a mapping besides its name: its size, and its debug id, by its content when it has none. Throws
 * Invalid when the file is none.
 */
export async function checkMapping(
  reader: ArtifactFileReader,
  { name, debugId }: { name: string; debugId: string | null },
): Promise<{ bytes: number; debugId: string }> {
  if (!(await isMapping(reader))) {
    throw invalid(`"${name.slice(0, 200)}" holds no class of a mapping: upload what ProGuard or R8 wrote`);
  }
  return { bytes: reader.bytes, debugId: debugId ?? (await debugIdOfContent(reader)) };
}

/** Makes a stored file a mapping of the project. */
export async function saveMapping(
  { stores, organization, now }: Pick<Context, 'stores' | 'organization' | 'now'>,
  { projectId, checksum, name, debugId, bytes }: Omit<DeobfuscationFile, 'id' | 'uploadedAt'>,
): Promise<DeobfuscationFile> {
  return await stores.artifacts.saveDeobfuscationFile(organization.id, {
    projectId,
    debugId,
    checksum,
    name: name.slice(0, NAME_CHARACTERS_MAX),
    bytes,
    uploadedAt: now(),
  });
}
