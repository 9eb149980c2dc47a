import { createHash, type Hash } from 'node:crypto';
import { invalid } from '#lib/errors.ts';
import { openZip, type ZipArchive } from '#lib/zip-archive.ts';
import type { Context } from '#product/context.ts';
import { requireOneOf } from '#product/permissions.ts';
import { projectNotFound, selectProjects } from '#product/visible-projects.ts';
import type { ArtifactFileReader } from '#storage/ports/artifact-files.ts';
import type { DeobfuscationFile } from './artifact.ts';
import { toDebugId } from './check-upload.ts';
import { piecesOf } from './open-stored.ts';
import { readBytes, storeBytes } from './store-bytes.ts';
import {
  MAPPING_ARCHIVE_BYTES_MAX,
  MAPPING_ARCHIVE_LIMITS,
  MAPPINGS_PER_REQUEST_MAX,
} from './upload-limits.ts';
import { UPLOAD_RIGHTS } from './upload-projects.ts';

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

/** Where a line of a class must have come, unless the file is none. */
const HEAD_BYTES = 256 * 1024;
const LINE_CHARACTERS_MAX = 2_000;
const CLASS_LINE = /^\S+ -> \S+:\s*$/;
/** Names under which mappings are uploaded: `/proguard/<id>.txt`. */
const MAPPING_NAME = /(?:^|\/)proguard\/(?:mapping-)?([0-9a-fA-F-]{32,36})\.txt$/;
/** Of names of hosts: RFC 9562, section 6.6. */
const HOSTS_NAMESPACE = Buffer.from('6ba7b8109dad11d180b400c04fd430c8', 'hex');
/** Mappings have their ids by content in the namespace of this host. */
const NAMESPACE = uuid5Of(createHash('sha1').update(HOSTS_NAMESPACE).update('guardsquare.com'));

/** null when the name says no debug id. */
export const debugIdOfName = (name: string): string | null => toDebugId(MAPPING_NAME.exec(name)?.[1]);

/** Whether clients would take it for a mapping by its name. */
export const looksLikeMapping = (name: string): boolean => name.endsWith('.txt') || MAPPING_NAME.test(name);

/** Whether there is a class in it, near its beginning. */
export async function isMapping(reader: ArtifactFileReader): Promise<boolean> {
  const head = (await reader.read(0, Math.min(reader.bytes, HEAD_BYTES))).toString('utf8');
  return head.split('\n').some((line) => line.length <= LINE_CHARACTERS_MAX && CLASS_LINE.test(line));
}

/** The id that build tools give a mapping by its content. Source: https://github.com/getsentry/rust-proguard */
export async function debugIdOfContent(reader: ArtifactFileReader): Promise<string> {
  const hash = createHash('sha1').update(NAMESPACE);
  for await (const piece of piecesOf(reader)) hash.update(piece);
  const digits = uuid5Of(hash).toString('hex');
  return toDebugId(digits) ?? digits;
}

/** UUID version 5: the first 16 bytes with the version and the variant of RFC 9562. */
function uuid5Of(hash: Hash): Buffer {
  const bytes = hash.digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes;
}
