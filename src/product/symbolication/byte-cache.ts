import type { ObfuscationMapping } from '#pipeline/symbolicate/java/parse-mapping.ts';
import type { SourceText } from '#pipeline/symbolicate/javascript/source-text.ts';
import type { PackedSymbols } from '#pipeline/symbolicate/native/packed-symbols.ts';
import type { PackedMap } from '#pipeline/symbolicate/source-map/packed-map.ts';
import type { ProjectScope } from '#product/artifacts/locate-source-map.ts';

type Entry<Value> = { value: Value; bytes: number };

/** Keeps what was used last, up to so many bytes. */
export class ByteCache<Value> {
  readonly bytesMax: number;
  readonly #entries = new Map<string, Entry<Value>>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** What is larger than the whole cache is not kept. */
  set(key: string, value: Value, bytes: number): void {
    this.#delete(key);
    if (bytes > this.bytesMax) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.bytesMax) return;
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}

export type LoadLimits = { loads: number; loadsOfProject: number };

/** Whoever asks for what is on its way waits for the same; only so many are on their way, and of one project. */
export class LoadOnce {
  readonly #limits: LoadLimits;
  readonly #loading = new Map<string, Promise<true>>();
  readonly #ofProjects = new Map<number, number>();

  constructor(limits: LoadLimits) {
    this.#limits = limits;
  }

  /** False, and nothing is loaded, when there is no room for one more. Rejects as `load` does. */
  run(scope: ProjectScope, name: string, load: () => Promise<void>): Promise<boolean> {
    const { organizationId, projectId } = scope;
    const key = `${organizationId} ${projectId} ${name}`;
    const known = this.#loading.get(key);
    if (known) return known;
    const { loads, loadsOfProject } = this.#limits;
    const ofProject = this.#ofProjects.get(projectId) ?? 0;
    if (this.#loading.size >= loads || ofProject >= loadsOfProject) return Promise.resolve(false);
    this.#ofProjects.set(projectId, ofProject + 1);
    const loading = load()
      .then(() => true as const)
      .finally(() => this.#end(key, projectId));
    this.#loading.set(key, loading);
    return loading;
  }

  #end(key: string, projectId: number): void {
    this.#loading.delete(key);
    const others = (this.#ofProjects.get(projectId) ?? 1) - 1;
    if (others === 0) this.#ofProjects.delete(projectId);
    else this.#ofProjects.set(projectId, others);
  }
}

/** A parsed file. `bytes` is null unless it is too large; it may be read again after `expiresAt`, null for never. */
export type KeptFile =
  | { kind: 'map'; map: PackedMap; texts: Map<number, SourceText> }
  | { kind: 'broken-map'; bytes: number | null; detail: string; expiresAt: number | null }
  | { kind: 'source'; text: SourceText | null }
  | { kind: 'mapping'; mapping: ObfuscationMapping }
  | { kind: 'broken-mapping'; detail: string; expiresAt: number | null }
  | { kind: 'symbols'; symbols: PackedSymbols }
  | { kind: 'broken-symbols'; detail: string; expiresAt: number | null };

/** By names that say what is in them, so that they never change. */
export type KeptFiles = ByteCache<KeptFile>;

/** What scripts, mappings and symbols have together. */
export type SharedFiles = {
  files: KeptFiles;
  loads: LoadOnce;
  /** Runs what asks the stores: a few at once, so that others get connections too. One must not run within another. */
  inTurn: <Answer>(work: () => Promise<Answer>) => Promise<Answer>;
};

/** What a small answer occupies, at least. */
export const ENTRY_BYTES = 512;
/** Places that are remembered of each kind. */
export const PLACES_MAX = 20_000;
/** What was found is looked for again, so that it counts as used. */
export const FOUND_MS = 10 * 60_000;
/** What was not found comes with an upload, which tells; should nobody hear that, it is found so much later. */
export const ABSENT_MS = 30_000;
/** A file whose reading failed for no fault of its own is read again after so long. */
export const FAILED_MS = 60_000;

/** undefined when nobody has read it, or it is to be read again. */
export function findKept(files: KeptFiles, key: string, nowMs: number): KeptFile | undefined {
  const kept = files.get(key);
  const expiresAt = kept && 'expiresAt' in kept ? kept.expiresAt : null;
  return expiresAt !== null && expiresAt <= nowMs ? undefined : kept;
}
