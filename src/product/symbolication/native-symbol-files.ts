import { isErrataError } from '#lib/errors.ts';
import type { PackedSymbols } from '#pipeline/symbolicate/native/packed-symbols.ts';
import type { DebugFileProblem } from '#pipeline/symbolicate/symbol-sources.ts';
import type { DeobfuscationFile } from '#product/artifacts/artifact.ts';
import type { ProjectScope } from '#product/artifacts/locate-source-map.ts';
import { readArtifact } from '#product/artifacts/open-stored.ts';
import { SYMBOL_FILE_BYTES_MAX } from '#product/artifacts/upload-limits.ts';
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

export type NativeSymbolFilesDeps = {
  artifacts: Pick<Stores['artifacts'], 'findDeobfuscationFile' | 'hasDebugFiles' | 'touchDeobfuscationFiles'>;
  artifactFiles: Pick<Stores['artifactFiles'], 'open'>;
  parser: Pick<MapParser, 'parseSymbols'>;
  now: () => number;
};

/** Stands for all files of a project: dumps name hundreds of modules, and most projects have uploaded none. */
const ANY = '';

/** Symbols of programs and libraries by the ids of their builds: `find` answers from memory, `load` looks and reads. */
export class NativeSymbolFiles {
  readonly #deps: NativeSymbolFilesDeps;
  readonly #shared: SharedFiles;
  readonly #places = new Places<DeobfuscationFile | 'bytes-gone' | null>(PLACES_MAX);

  constructor(deps: NativeSymbolFilesDeps, shared: SharedFiles) {
    this.#deps = deps;
    this.#shared = shared;
  }

  forget(organizationId: number | null): void {
    this.#places.forget(organizationId);
  }

  /** null when nobody uploaded it. */
  find(scope: ProjectScope, debugId: string): PackedSymbols | DebugFileProblem | null | 'unknown' {
    const nowMs = this.#deps.now();
    if (this.#places.find(scope, ANY, nowMs) === null) return null;
    const place = this.#places.find(scope, debugId, nowMs);
    if (place === undefined) return 'unknown';
    if (place === null) return null;
    if (place === 'bytes-gone') {
      const detail = 'Its content is no longer stored: upload it again';
      return { reason: 'debug_file_invalid', debugId, detail };
    }
    const kept = findKept(this.#shared.files, fileKey(scope, place), nowMs);
    if (kept?.kind === 'symbols') return kept.symbols;
    return kept?.kind === 'broken-symbols'
      ? { reason: 'debug_file_invalid', debugId, detail: kept.detail }
      : 'unknown';
  }

  /** False when too many files are on their way already. */
  load(scope: ProjectScope, debugId: string): Promise<boolean> {
    const { loads, inTurn } = this.#shared;
    return loads.run(scope, `symbols ${debugId}`, async () => {
      const generation = this.#places.generationOf(scope.organizationId);
      const keep = (name: string, place: DeobfuscationFile | 'bytes-gone' | null, isThere: boolean) =>
        this.#places.keep(
          scope,
          name,
          place,
          this.#deps.now() + (isThere ? FOUND_MS : ABSENT_MS),
          generation,
        );
      const file = await inTurn(() => this.#locate(scope, debugId));
      if (file === 'nothing-uploaded') {
        keep(ANY, null, false);
        return;
      }
      const isThere = file === null || (await this.#read(scope, file));
      keep(debugId, isThere ? file : 'bytes-gone', file !== null && isThere);
    });
  }

  async #locate(
    { organizationId, projectId }: ProjectScope,
    debugId: string,
  ): Promise<DeobfuscationFile | 'nothing-uploaded' | null> {
    const { artifacts, now } = this.#deps;
    const file = await artifacts.findDeobfuscationFile(organizationId, projectId, debugId, 'breakpad');
    if (file) {
      await artifacts.touchDeobfuscationFiles([file.id], now());
      return file;
    }
    return (await artifacts.hasDebugFiles(organizationId, projectId)) ? null : 'nothing-uploaded';
  }

  /** False when the bytes are gone. */
  async #read(scope: ProjectScope, file: DeobfuscationFile): Promise<boolean> {
    const { artifactFiles, parser, now } = this.#deps;
    const key = fileKey(scope, file);
    if (findKept(this.#shared.files, key, now())) return true;
    const whole = { checksum: file.checksum, path: null, url: file.name };
    try {
      const answer = await parser.parseSymbols(() =>
        readArtifact(artifactFiles, scope.organizationId, whole, SYMBOL_FILE_BYTES_MAX),
      );
      if (answer === null) return false;
      this.#keep(key, answer);
    } catch (error) {
      if (!isErrataError(error) || error.code !== 'invalid') throw error;
      this.#keepBroken(key, error.message);
    }
    return true;
  }

  #keep(key: string, answer: ParseAnswer<PackedSymbols>): void {
    switch (answer.kind) {
      case 'parsed':
        this.#shared.files.set(
          key,
          { kind: 'symbols', symbols: answer.parsed },
          ENTRY_BYTES + answer.parsed.bytes,
        );
        return;
      case 'failed':
        this.#keepBroken(key, answer.detail, this.#deps.now() + FAILED_MS);
        return;
      case 'too-large':
        this.#keepBroken(key, 'It exceeds the memory limit for symbol files');
        return;
      case 'invalid':
        this.#keepBroken(key, answer.detail);
    }
  }

  #keepBroken(key: string, detail: string, expiresAt: number | null = null): void {
    const { files } = this.#shared;
    files.set(key, { kind: 'broken-symbols', detail, expiresAt }, ENTRY_BYTES + 2 * detail.length);
  }
}

const fileKey = ({ organizationId }: ProjectScope, { checksum }: DeobfuscationFile): string =>
  `${organizationId}\nsymbols ${checksum}`;
