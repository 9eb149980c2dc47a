import { isErrataError } from '#lib/errors.ts';
import { SOURCE_MAP_BYTES_MAX } from '#pipeline/symbolicate/source-map/source-map.ts';
import type { LocatedScript } from '#product/artifacts/locate-source-map.ts';
import { readArtifact } from '#product/artifacts/open-stored.ts';
import type { ArtifactFileStore } from '#storage/ports/artifact-files.ts';
import type { MapBytes } from './map-parser.ts';

const COMMENT = Buffer.from('sourceMappingURL=data:');
const BASE64 = ';base64';
/** A map within a script is a third longer than by itself. */
const SCRIPT_BYTES_MAX = SOURCE_MAP_BYTES_MAX + SOURCE_MAP_BYTES_MAX / 2;

/** Code of a script that is read for the names of its functions; those of a larger one stay as they were sent. */
const NAMED_SCRIPT_BYTES_MAX = 16 * 1024 * 1024;

/** A map and its script, inline maps included. null when the map's bytes are gone. Throws as `readArtifact`. */
export async function readMap(
  files: Pick<ArtifactFileStore, 'open'>,
  organizationId: number,
  { map, script }: Pick<LocatedScript, 'map' | 'script'>,
): Promise<MapBytes | null> {
  if (!map) {
    const bytes = script && (await readArtifact(files, organizationId, script, SCRIPT_BYTES_MAX));
    return bytes && splitInlineMap(bytes);
  }
  const bytes = await readArtifact(files, organizationId, map, SOURCE_MAP_BYTES_MAX);
  if (!bytes) return null;
  const code = script && (await orNull(readArtifact(files, organizationId, script, NAMED_SCRIPT_BYTES_MAX)));
  return { map: bytes, script: code };
}

/** What is too large or broken is as if nobody had it. */
export async function orNull<Value>(read: Promise<Value>): Promise<Value | null> {
  try {
    return await read;
  } catch (error) {
    if (isErrataError(error) && error.code === 'invalid') return null;
    throw error;
  }
}

/** The map that a script names last by a `data:` address, and the script; null when it has none. */
export function splitInlineMap(script: Buffer): MapBytes | null {
  const at = script.lastIndexOf(COMMENT);
  const map = at === -1 ? null : readDataAddress(script, at);
  if (!map) return null;
  const code = script.subarray(0, at);
  return { map, script: code.length > NAMED_SCRIPT_BYTES_MAX ? null : Uint8Array.from(code) };
}

function readDataAddress(script: Buffer, at: number): Uint8Array | null {
  const comma = script.indexOf(',', at);
  if (comma === -1) return null;
  const header = script.toString('latin1', at, Math.min(comma, at + 200));
  const end = script.indexOf('\n', comma);
  const content = script.toString('latin1', comma + 1, end === -1 ? script.length : end).trim();
  if (header.endsWith(BASE64)) return Buffer.from(content, 'base64');
  try {
    return Buffer.from(decodeURIComponent(content));
  } catch {
    return null;
  }
}
