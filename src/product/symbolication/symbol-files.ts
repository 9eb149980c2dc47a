import { limitConcurrency } from '#lib/limit-concurrency.ts';
import { ByteCache, type KeptFile, LoadOnce, type SharedFiles } from './byte-cache.ts';
import { MappingFiles } from './mapping-files.ts';
import { NativeSymbolFiles } from './native-symbol-files.ts';
import { ScriptFiles, type ScriptFilesDeps } from './script-files.ts';

/** Maps, mappings, symbols and sources that are kept read. */
export const FILES_BYTES_MAX = 256 * 1024 * 1024;
/** Files on their way, whether somebody waits for them or not. */
const LOADING_MAX = 100;
export const LOADING_OF_PROJECT_MAX = 25;
/** Look-ups that ask the stores at once, each over one connection. */
export const LOOK_UPS_AT_ONCE = 2;

/** Uploaded files for symbolication, bounded by bytes. Loading throws ErrataError 'unavailable'. */
export class SymbolFiles {
  readonly scripts: ScriptFiles;
  readonly mappings: MappingFiles;
  readonly native: NativeSymbolFiles;
  readonly #files: ByteCache<KeptFile>;

  constructor(deps: ScriptFilesDeps, bytesMax: number = FILES_BYTES_MAX) {
    this.#files = new ByteCache(bytesMax);
    const shared: SharedFiles = {
      files: this.#files,
      loads: new LoadOnce({ loads: LOADING_MAX, loadsOfProject: LOADING_OF_PROJECT_MAX }),
      inTurn: limitConcurrency(<Answer>(work: () => Promise<Answer>) => work(), LOOK_UPS_AT_ONCE),
    };
    this.scripts = new ScriptFiles(deps, shared);
    this.mappings = new MappingFiles(deps, shared);
    this.native = new NativeSymbolFiles(deps, shared);
  }

  /** Of the files that are kept. */
  get bytes(): number {
    return this.#files.bytes;
  }

  /** Uploads of the organization came or went; null when nobody knows of which. */
  forget(organizationId: number | null): void {
    this.scripts.forget(organizationId);
    this.mappings.forget(organizationId);
    this.native.forget(organizationId);
  }
}
