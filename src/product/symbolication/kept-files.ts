import type { ObfuscationMapping } from '#pipeline/symbolicate/java/parse-mapping.ts';
import type { SourceText } from '#pipeline/symbolicate/javascript/source-text.ts';
import type { PackedMap } from '#pipeline/symbolicate/source-map/packed-map.ts';
import type { ByteCache, LoadOnce } from './byte-cache.ts';

/**
 * What was read of an uploaded file. `detail` is one sentence for people; `bytes` is null unless it is too large. What may
 * be read another time is broken until `expiresAt`, everything else for ever (null).
 */
export type KeptFile =
  | { kind: 'map'; map: PackedMap; texts: Map<number, SourceText> }
  | { kind: 'broken-map'; bytes: number | null; detail: string; expiresAt: number | null }
  | { kind: 'source'; text: SourceText | null }
  | { kind: 'mapping'; mapping: ObfuscationMapping }
  | { kind: 'broken-mapping'; detail: string; expiresAt: number | null };

/** By names that say what is in them, so that they never change. */
export type KeptFiles = ByteCache<KeptFile>;

/** What scripts and mappings have together. */
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
