import type { FunctionStarts } from './function-starts.ts';

/**
 * Where the ranges of generated code come from: five numbers for each in typed arrays, which can be handed from thread
 * to thread without a copy. Lines and columns count from 0.
 */
export type Segments = {
  /** Index of the first segment of each generated line, and one entry more for the end. */
  readonly lineStarts: Uint32Array;
  /** Of each segment, ascending within a line. */
  readonly generatedColumns: Uint32Array;
  /** Index of `sources`; NONE for a segment that stands for no source. */
  readonly sourceIndexes: Uint32Array;
  readonly originalLines: Uint32Array;
  readonly originalColumns: Uint32Array;
  /** Index of `names`; NONE for a segment without one. */
  readonly nameIndexes: Uint32Array;
};

/** A source map, decoded once. */
export type SourceMap = Segments & {
  /** As named by the map, the root put before them; null where a source has no name. */
  readonly sources: readonly (string | null)[];
  /** By index of `sources`; null where the map does not hold the text. */
  readonly sourcesContent: readonly (string | null)[];
  readonly names: readonly string[];
  /** Indexes of `sources` that are somebody else's code. */
  readonly ignored: readonly number[];
  /** Where functions begin in the sources, by index of `functionNames`; null when the map does not say. */
  readonly functions: FunctionStarts | null;
  readonly functionNames: readonly string[];
  /** null when the map does not say. */
  readonly debugId: string | null;
};

/** In place of an index. The format ends at 2^31 - 1. */
export const NONE = 0xffff_ffff;

/** Why a source map cannot be used: one sentence for people. */
export class InvalidSourceMap extends Error {
  override readonly name = 'InvalidSourceMap';
}

/** Text of one source map; a larger one is not read. */
export const SOURCE_MAP_BYTES_MAX = 64 * 1024 * 1024;
/** Segments of one source map, 20 bytes each. A bundle of 30 MB has about 3 million. */
export const SEGMENTS_MAX = 6_000_000;
/** Lines of generated code that one map describes. */
export const GENERATED_LINES_MAX = 5_000_000;
/** Sources of one map. */
export const SOURCES_MAX = 200_000;
/** Names of one map. */
export const NAMES_MAX = 2_000_000;
/** Sections of one index map. */
export const SECTIONS_MAX = 10_000;
/** Largest line and column: 31 bits. Source: https://tc39.es/ecma426/#sec-DecodeMappingsField */
export const POSITION_MAX = 2 ** 31 - 1;
