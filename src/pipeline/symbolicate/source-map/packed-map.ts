import { toSharedMemory } from '../shared-memory.ts';
import type { FunctionStarts, ScriptFunctions } from './function-starts.ts';
import type { Segments, SourceMap } from './source-map.ts';

/** A source map as it is kept: next to nothing of it lies in the heap. */
export type PackedMap = Segments &
  Pick<SourceMap, 'sources' | 'functions'> & {
    readonly names: TextTable;
    readonly functionNames: TextTable;
    /** Where functions begin in the script, by index of `scriptNames`; null when the script was not read. */
    readonly scriptStarts: FunctionStarts | null;
    readonly scriptNames: TextTable;
    readonly contents: TextTable;
    /** 1 for each source that is somebody else's code. */
    readonly ignored: Uint8Array;
    /** What it occupies, once the lines of all its sources are found. */
    readonly bytes: number;
  };

export const LINE_START_BYTES = 4;
/** What the name of a source occupies besides its characters. */
const SOURCE_BYTES = 64;
const NEWLINE = 10;

/** The map with the functions of its script, in memory that threads share. */
export function packSourceMap(map: SourceMap, script: ScriptFunctions | null = null): PackedMap {
  const { sources } = map;
  const contents = packTexts(map.sourcesContent);
  const ignored = new Uint8Array(map.sources.length);
  for (const index of map.ignored) ignored[index] = 1;
  let arrayBytes = 0;
  const share = <Numbers extends Uint8Array | Uint32Array>(numbers: Numbers): Numbers => {
    arrayBytes += numbers.byteLength;
    return toSharedMemory(numbers);
  };
  const shareTable = ({ bytes, starts, lengths }: TextTable): TextTable => ({
    bytes: share(bytes),
    starts: share(starts),
    lengths: share(lengths),
  });
  const shareStarts = (starts: FunctionStarts | null | undefined): FunctionStarts | null =>
    starts
      ? {
          sourceStarts: share(starts.sourceStarts),
          lines: share(starts.lines),
          columns: share(starts.columns),
          nameIndexes: share(starts.nameIndexes),
        }
      : null;
  const packed = {
    lineStarts: share(map.lineStarts),
    generatedColumns: share(map.generatedColumns),
    sourceIndexes: share(map.sourceIndexes),
    originalLines: share(map.originalLines),
    originalColumns: share(map.originalColumns),
    nameIndexes: share(map.nameIndexes),
    sources,
    functions: shareStarts(map.functions),
    names: shareTable(packTexts(map.names)),
    functionNames: shareTable(packTexts(map.functionNames)),
    scriptStarts: shareStarts(script?.starts),
    scriptNames: shareTable(packTexts(script?.names ?? [])),
    contents: shareTable(contents),
    ignored: share(ignored),
  };
  const bytes =
    arrayBytes +
    (contents.lengths.length + countNewlines(contents.bytes)) * LINE_START_BYTES +
    sources.reduce((sum, source) => sum + SOURCE_BYTES + 2 * (source?.length ?? 0), 0);
  return { ...packed, bytes };
}

function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  // An iterator takes seven times as long.
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === NEWLINE) count++;
  return count;
}

/** Texts in one range of memory outside of the heap. */
type TextTable = {
  readonly bytes: Uint8Array;
  /** Of each text, in bytes. */
  readonly starts: Uint32Array;
  /** NO_TEXT where there is none. */
  readonly lengths: Uint32Array;
};

const NO_TEXT = 0xffff_ffff;
const decoder = new TextDecoder();

function packTexts(texts: readonly (string | null)[]): TextTable {
  const starts = new Uint32Array(texts.length);
  const lengths = new Uint32Array(texts.length);
  let total = 0;
  for (const [index, text] of texts.entries()) {
    const length = text === null ? 0 : Buffer.byteLength(text);
    starts[index] = total;
    lengths[index] = text === null ? NO_TEXT : length;
    total += length;
  }
  const bytes = new Uint8Array(total);
  const target = Buffer.from(bytes.buffer);
  for (const [index, text] of texts.entries()) if (text !== null) target.write(text, starts[index] ?? 0);
  return { bytes, starts, lengths };
}

/** The UTF-8 of a text; null where there is none. */
export function bytesAt({ bytes, starts, lengths }: TextTable, index: number): Uint8Array | null {
  const start = starts[index];
  const length = lengths[index];
  if (start === undefined || length === undefined || length === NO_TEXT) return null;
  return bytes.subarray(start, start + length);
}

export function textAt(table: TextTable, index: number): string | null {
  const bytes = bytesAt(table, index);
  return bytes && decoder.decode(bytes);
}
