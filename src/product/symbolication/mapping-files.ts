import { isErrataError } from '#lib/errors.ts';
import type { PackedMapping } from '#pipeline/symbolicate/java/packed-mapping.ts';
import { type ObfuscationMapping, openMapping } from '#pipeline/symbolicate/java/parse-mapping.ts';
import type { MappingProblem } from '#pipeline/symbolicate/symbol-sources.ts';
import type { DeobfuscationFile } from '#product/artifacts/artifact.ts';
import type { ProjectScope } from '#product/artifacts/locate-source-map.ts';
import { readArtifact } from '#product/artifacts/open-stored.ts';
import type { Stores } from '#product/stores.ts';
import {
  ABSENT_MS,
  ENTRY_BYTES,
  FAILED_MS,
  FOUND_MS,
  findKept,
  PLACES_MAX,
  type SharedFiles,
} from './byte-cache.ts';
import type { MapParser, ParseAnswer } from './map-parser.ts';
import { Places } from './places.ts';

export type MappingFilesDeps = {
  artifacts: Pick<Stores['artifacts'], 'findDeobfuscationFile' | 'touchDeobfuscationFiles'>;
  artifactFiles: Pick<Stores['artifactFiles'], 'open'>;
  parser: Pick<MapParser, 'parseMapping'>;
  now: () => number;
};

const MAPPING_BYTES_MAX = 100 * 1024 * 1024;

/** Mappings of obfuscated names by their ids: `find` answers from memory, `load` looks and reads. */
export class MappingFiles {
  readonly #deps: MappingFilesDeps;
  readonly #shared: SharedFiles;
  readonly #places = new Places<DeobfuscationFile | 'bytes-gone' | null>(PLACES_MAX);

  constructor(deps: MappingFilesDeps, shared: SharedFiles) {
    this.#deps = deps;
    this.#shared = shared;
  }

  forget(organizationId: number | null): void {
    this.#places.forget(organizationId);
  }

  find(scope: ProjectScope, debugId: string): ObfuscationMapping | MappingProblem | 'unknown' {
    const nowMs = this.#deps.now();
    const place = this.#places.find(scope, debugId, nowMs);
    if (place === undefined) return 'unknown';
    if (place === null) return { reason: 'mapping_not_uploaded', debugId };
    if (place === 'bytes-gone') {
      return {
        reason: 'mapping_invalid',
        debugId,
        detail: 'Its content is no longer stored: upload it again',
      };
    }
    const kept = findKept(this.#shared.files, fileKey(scope, place), nowMs);
    if (kept?.kind === 'mapping') return kept.mapping;
    return kept?.kind === 'broken-mapping'
      ? { reason: 'mapping_invalid', debugId, detail: kept.detail }
      : 'unknown';
  }

  /** False when too many files are on their way already. */
  load(scope: ProjectScope, debugId: string): Promise<boolean> {
    const { loads, inTurn } = this.#shared;
    return loads.run(scope, `mapping ${debugId}`, async () => {
      const generation = this.#places.generationOf(scope.organizationId);
      const file = await inTurn(() => this.#locate(scope, debugId));
      const isThere = file === null || (await this.#read(scope, file));
      const expiresAt = this.#deps.now() + (file && isThere ? FOUND_MS : ABSENT_MS);
      this.#places.keep(scope, debugId, isThere ? file : 'bytes-gone', expiresAt, generation);
    });
  }

  async #locate(
    { organizationId, projectId }: ProjectScope,
    debugId: string,
  ): Promise<DeobfuscationFile | null> {
    const { artifacts, now } = this.#deps;
    const file = await artifacts.findDeobfuscationFile(organizationId, projectId, debugId, 'proguard');
    if (file) await artifacts.touchDeobfuscationFiles([file.id], now());
    return file;
  }

  /** False when the bytes are gone. */
  async #read(scope: ProjectScope, file: DeobfuscationFile): Promise<boolean> {
    const { artifactFiles, parser, now } = this.#deps;
    const key = fileKey(scope, file);
    if (findKept(this.#shared.files, key, now())) return true;
    const whole = { checksum: file.checksum, path: null, url: file.name };
    try {
      const answer = await parser.parseMapping(() =>
        readArtifact(artifactFiles, scope.organizationId, whole, MAPPING_BYTES_MAX),
      );
      if (answer === null) return false;
      this.#keep(key, answer);
    } catch (error) {
      if (!isErrataError(error) || error.code !== 'invalid') throw error;
      this.#keepBroken(key, error.message);
    }
    return true;
  }

  #keep(key: string, answer: ParseAnswer<PackedMapping>): void {
    switch (answer.kind) {
      case 'parsed': {
        const mapping = openMapping(answer.parsed);
        this.#shared.files.set(key, { kind: 'mapping', mapping }, mapping.bytes);
        return;
      }
      case 'failed':
        this.#keepBroken(key, answer.detail, this.#deps.now() + FAILED_MS);
        return;
      case 'too-large':
        this.#keepBroken(key, 'It exceeds the memory limit for mappings');
        return;
      case 'invalid':
        this.#keepBroken(key, answer.detail);
    }
  }

  #keepBroken(key: string, detail: string, expiresAt: number | null = null): void {
    const { files } = this.#shared;
    files.set(key, { kind: 'broken-mapping', detail, expiresAt }, ENTRY_BYTES + 2 * detail.length);
  }
}

const fileKey = ({ organizationId }: ProjectScope, { checksum }: DeobfuscationFile): string =>
  `${organizationId}\nmapping ${checksum}`;
