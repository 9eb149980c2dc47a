import { SOURCE_MAP_BYTES_MAX } from '#pipeline/symbolicate/source-map/source-map.ts';
import type { LocatedScript } from '#product/artifacts/locate-script.ts';
import { readArtifact } from '#product/artifacts/open-stored.ts';
import type { ArtifactFileStore } from '#storage/ports/artifact-files.ts';

const COMMENT = Buffer.from('sourceMappingURL=data:');
const BASE64 = ';base64';
/** A map within a script is a third longer than by itself. */
const SCRIPT_BYTES_MAX = SOURCE_MAP_BYTES_MAX + SOURCE_MAP_BYTES_MAX / 2;

/** The text of a map in UTF-8, inline ones included. null when its bytes are gone. Throws as `readArtifact`. */
export async function readMap(
  files: Pick<ArtifactFileStore, 'open'>,
  organizationId: number,
  { map, script }: Pick<LocatedScript, 'map' | 'script'>,
): Promise<Uint8Array | null> {
  if (map) return await readArtifact(files, organizationId, map, SOURCE_MAP_BYTES_MAX);
  const bytes = script && (await readArtifact(files, organizationId, script, SCRIPT_BYTES_MAX));
  return bytes && inlineMap(bytes);
}

/** The map that a script names last by a `data:` address; null when it has none. */
export function inlineMap(script: Buffer): Uint8Array | null {
  const at = script.lastIndexOf(COMMENT);
  if (at === -1) return null;
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
