import { isErrataError } from '#lib/errors.ts';
import { SourceText } from '#pipeline/symbolicate/javascript/source-text.ts';
import { bytesAt, type PackedMap } from '#pipeline/symbolicate/source-map/packed-map.ts';
import { SOURCE_MAP_BYTES_MAX } from '#pipeline/symbolicate/source-map/source-map.ts';
import type { AbsentScript, ScriptReference } from '#pipeline/symbolicate/symbol-sources.ts';
import {
  type LocatedScript,
  locateSource,
  locateSourceMap,
  type ProjectScope,
} from '#product/artifacts/locate-source-map.ts';
import { readArtifact } from '#product/artifacts/open-stored.ts';
import type { Stores } from '#product/stores.ts';
import {
  ABSENT_MS,
  ENTRY_BYTES,
  FAILED_MS,
  FOUND_MS,
  findKept,
  type KeptFiles,
  PLACES_MAX,
  type SharedFiles,
} from './byte-cache.ts';
import type { FetchPublicMap, PublicMap } from './fetch-public-map.ts';
import type { MapBytes, MapParser } from './map-parser.ts';
import { Places } from './places.ts';
import { orNull, readMap } from './read-map.ts';
import { UploadPresence } from './upload-presence.ts';

export type ScriptFilesDeps = {
  artifacts: Stores['artifacts'];
  artifactFiles: Pick<Stores['artifactFiles'], 'open'>;
  parser: Pick<MapParser, 'parse' | 'parseMapping' | 'parseSymbols'>;
  /** For scripts of which nothing was uploaded; null or absent to fetch nothing. */
  fetchPublicMap?: FetchPublicMap | null;
  now: () => number;
};

const SOURCE_BYTES_MAX = 16 * 1024 * 1024;

export type KnownScript = { kind: 'known'; located: LocatedScript; map: PackedMap };

/** Source maps of scripts, and sources beside them: `find…` answers from memory, `load…` looks and reads. */
export class ScriptFiles {
  readonly #deps: ScriptFilesDeps;
  readonly #shared: SharedFiles;
  readonly #files: KeptFiles;
  readonly #places = new Places<LocatedScript | AbsentScript>(PLACES_MAX);
  readonly #uploads: UploadPresence;

  constructor(deps: ScriptFilesDeps, shared: SharedFiles) {
    this.#deps = deps;
    this.#shared = shared;
    this.#files = shared.files;
    this.#uploads = new UploadPresence(deps);
  }

  forget(organizationId: number | null): void {
    this.#places.forget(organizationId);
    this.#uploads.forget(organizationId);
  }

  find(scope: ProjectScope, reference: ScriptReference): KnownScript | AbsentScript | 'unknown' {
    const { fetchPublicMap, now } = this.#deps;
    // Most events are of projects that never upload anything: nothing is kept of their scripts.
    if (!fetchPublicMap && this.#uploads.find(scope) === false) {
      return problemWithoutUploads(reference);
    }
    const located = this.#places.find(scope, nameOf(reference), now());
    if (located === undefined) return 'unknown';
    if (located.kind === 'absent') return located;
    const kept = findKept(this.#files, mapKey(scope, located), now());
    if (kept?.kind === 'map') return { kind: 'known', located, map: kept.map };
    if (kept?.kind !== 'broken-map') return 'unknown';
    const { bytes, detail } = kept;
    const { file } = located;
    return bytes === null
      ? { kind: 'absent', reason: 'map_invalid', file, detail }
      : { kind: 'absent', reason: 'map_too_large', file, bytes };
  }

  /** The text of a source of a known script, by its index in the map. */
  findSource(
    scope: ProjectScope,
    { located, map }: KnownScript,
    index: number,
  ): SourceText | null | 'unknown' {
    const key = mapKey(scope, located);
    const kept = this.#files.get(key);
    const texts = kept?.kind === 'map' ? kept.texts : null;
    const known = texts?.get(index);
    if (known) return known;
    const bytes = bytesAt(map.contents, index);
    if (bytes) {
      const text = new SourceText(bytes);
      texts?.set(index, text);
      return text;
    }
    if (map.sources[index] === null || map.sources[index] === undefined) return null;
    const source = this.#files.get(this.#sourceKey(scope, located, index));
    return source?.kind === 'source' ? source.text : 'unknown';
  }

  /** False when too many files are on their way already. */
  load(scope: ProjectScope, reference: ScriptReference): Promise<boolean> {
    const name = nameOf(reference);
    return this.#shared.loads.run(scope, name, async () => {
      const generation = this.#places.generationOf(scope.organizationId);
      const place = await this.#findPlace(scope, reference);
      const expiresAt = this.#deps.now() + (place.kind === 'absent' ? ABSENT_MS : FOUND_MS);
      this.#places.keep(scope, name, place, expiresAt, generation);
    });
  }

  /** False when too many files are on their way already. */
  loadSource(
    scope: ProjectScope,
    reference: ScriptReference,
    { located, map }: KnownScript,
    index: number,
  ): Promise<boolean> {
    const { loads, inTurn } = this.#shared;
    const key = this.#sourceKey(scope, located, index);
    return loads.run(scope, key, () =>
      inTurn(async () => {
        const { artifacts, artifactFiles } = this.#deps;
        const name = map.sources[index] ?? '';
        const file = await locateSource(artifacts, scope, reference, located, name);
        const bytes =
          file && (await orNull(readArtifact(artifactFiles, scope.organizationId, file, SOURCE_BYTES_MAX)));
        const text = bytes && new SourceText(bytes);
        this.#files.set(key, { kind: 'source', text }, ENTRY_BYTES + (text?.bytes ?? 0));
      }),
    );
  }

  /** Which map a script has; it is read. */
  async #findPlace(scope: ProjectScope, reference: ScriptReference): Promise<LocatedScript | AbsentScript> {
    const located = await this.#shared.inTurn(() => this.#locate(scope, reference));
    if (located.kind === 'absent') {
      const { fetchPublicMap } = this.#deps;
      return (
        (await fetchPublicMap?.(reference.url, (fetched) => this.#keepFetched(scope, fetched))) ?? located
      );
    }
    const { artifactFiles } = this.#deps;
    const key = mapKey(scope, located);
    if (findKept(this.#files, key, this.#deps.now())) return located;
    const declared = located.map?.bytes ?? 0;
    const isThere = await this.#readMap(key, declared, () =>
      readMap(artifactFiles, scope.organizationId, located),
    );
    return isThere
      ? located
      : {
          kind: 'absent',
          reason: 'map_missing',
          file: located.file,
          mapUrl: located.script?.sourceMap ?? null,
        };
  }

  async #keepFetched(scope: ProjectScope, { file, baseUrl, map, script }: PublicMap): Promise<LocatedScript> {
    const located: LocatedScript = {
      kind: 'located',
      file,
      foundBy: 'fetched',
      baseUrl,
      script: null,
      map: null,
    };
    await this.#readMap(mapKey(scope, located), map.length, async () => ({
      // A second attempt reads it again, after the parser took what it was given.
      map: Uint8Array.from(map),
      script,
    }));
    return located;
  }

  async #locate(scope: ProjectScope, reference: ScriptReference): Promise<LocatedScript | AbsentScript> {
    const { artifacts, now } = this.#deps;
    if (!(await this.#uploads.load(scope))) return problemWithoutUploads(reference);
    const located = await locateSourceMap(artifacts, scope, reference);
    if (located.kind === 'located') {
      const bundleIds = [located.script, located.map].flatMap((file) => file?.bundleId ?? []);
      await artifacts.touchBundles([...new Set(bundleIds)], now());
    }
    return located;
  }

  /** False when the bytes are gone. */
  async #readMap(key: string, declared: number, read: () => Promise<MapBytes | null>): Promise<boolean> {
    if (declared > SOURCE_MAP_BYTES_MAX) {
      this.#keepBroken(key, declared, '');
      return true;
    }
    try {
      const answer = await this.#deps.parser.parse(read);
      if (answer === null) return false;
      if (answer.kind === 'parsed' && answer.parsed.bytes <= this.#files.bytesMax) {
        const map = answer.parsed;
        this.#files.set(key, { kind: 'map', map, texts: new Map() }, map.bytes);
      } else if (answer.kind === 'failed') {
        this.#keepBroken(key, null, answer.detail, this.#deps.now() + FAILED_MS);
      } else if (answer.kind === 'invalid') {
        this.#keepBroken(key, null, answer.detail);
      } else {
        this.#keepBroken(key, declared, '');
      }
    } catch (error) {
      if (!isErrataError(error) || error.code !== 'invalid') throw error;
      this.#keepBroken(key, null, error.message);
    }
    return true;
  }

  /** The same map may find its sources elsewhere for another script, and elsewhere after an upload. */
  #sourceKey(
    { organizationId, projectId }: ProjectScope,
    { map, script, baseUrl }: LocatedScript,
    index: number,
  ): string {
    const generation = this.#places.generationOf(organizationId);
    const owner = `${organizationId}\nsource ${projectId} ${generation}`;
    return `${owner}\n${map?.id ?? script?.id ?? ''} ${index}\n${baseUrl}`;
  }

  #keepBroken(key: string, bytes: number | null, detail: string, expiresAt: number | null = null): void {
    this.#files.set(key, { kind: 'broken-map', bytes, detail, expiresAt }, ENTRY_BYTES + 2 * detail.length);
  }
}

function problemWithoutUploads({ debugId, release }: ScriptReference): AbsentScript {
  if (debugId !== null) return { kind: 'absent', reason: 'debug_id_not_uploaded', debugId };
  return release === null
    ? { kind: 'absent', reason: 'no_debug_id_and_no_release' }
    : { kind: 'absent', reason: 'release_has_no_files', release };
}

const nameOf = ({ debugId, release, dist, url }: ScriptReference): string =>
  `${debugId ?? ''}\n${release ?? '\0'}\n${dist ?? '\0'}\n${url}`;

const mapKey = (
  { organizationId }: ProjectScope,
  { map, script, baseUrl, file: address }: LocatedScript,
): string => {
  const files = [map, script].filter((file) => file !== null);
  return files.length > 0
    ? [organizationId, ...files.flatMap(({ checksum, path }) => [checksum, path ?? ''])].join('\n')
    : `${organizationId}\nfetched\n${baseUrl}\n${address}`;
};
