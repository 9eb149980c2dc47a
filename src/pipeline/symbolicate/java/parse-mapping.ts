import { BoundedCache } from '../../../lib/bounded-cache.ts';
import { type ClassPlace, findPlace, linesOf, type PackedMapping, textOf } from './packed-mapping.ts';

/**
 * A mapping that ProGuard or R8 wrote. Only the lines of classes are read at first; the members of one when a frame
 * needs them.
 * Source: https://www.guardsquare.com/manual/tools/retrace and
 * https://r8.googlesource.com/r8/+/refs/heads/main/doc/retrace.md
 */
export type ObfuscationMapping = {
  /** The class that an obfuscated name stands for; null when the mapping does not have it. */
  findClass(name: string): MappedClass | null;
  /** What it occupies. */
  readonly bytes: number;
  /** What it is read from. */
  readonly packed: PackedMapping;
};

export type MappedClass = {
  /** With its package: `com.example.checkout.Cart`. */
  name: string;
  /** null when the mapping does not say. */
  sourceFile: string | null;
  /** In the order of the text, by obfuscated name. */
  members(): ReadonlyMap<string, readonly MappedMethod[]>;
};

export type MappedMethod = {
  /** The class that it was written in, when that is another one: it was inlined or moved. */
  className: string | null;
  name: string;
  /** Lines of the obfuscated class; null for all. */
  from: number | null;
  to: number | null;
  /** Lines of the source; null when they are not known. */
  originalFrom: number | null;
  originalTo: number | null;
};

/** Classes whose members are cached. */
const READ_CLASSES_MAX = 2_000;
/** Members of one class. */
const METHODS_OF_CLASS_MAX = 100_000;

const METHOD =
  /^(?:(\d+):(\d+):)?\S+ (?:([\w$.<>-]+)\.)?([\w$<>-]+)\([^)]*\)(?::(\d+)(?::(\d+))?)? -> (\S+)\s*$/;
const REMARK = /^#\s*\{/;
const SOURCE_FILE = /"id"\s*:\s*"sourceFile"/;
const FILE_NAME = /"fileName"\s*:\s*"([^"]{1,1024})"/;

/** Reads the members of a class when they are asked for; only those of a few are kept. */
export function openMapping(packed: PackedMapping): ObfuscationMapping {
  const read = new BoundedCache<MappedClass>(READ_CLASSES_MAX);
  return {
    bytes: packed.bytes,
    packed,
    findClass(name) {
      const place = findPlace(packed, name);
      return place && read.getOrCompute(name, () => readClass(packed.text, place));
    },
  };
}

function readClass(text: Uint8Array, place: ClassPlace): MappedClass {
  let sourceFile: string | null = null;
  const members = new Map<string, MappedMethod[]>();
  let count = 0;
  for (const { from, to } of linesOf(text, place.from, place.end)) {
    const line = textOf(text, from, to).trim();
    if (line.startsWith('#')) {
      const isTold = sourceFile === null && REMARK.test(line) && SOURCE_FILE.test(line);
      if (isTold) sourceFile = FILE_NAME.exec(line)?.[1] ?? null;
      continue;
    }
    const match = METHOD.exec(line);
    if (!match || ++count > METHODS_OF_CLASS_MAX) continue;
    const [, first, last, className, name = '', originalFrom, originalTo, obfuscated = ''] = match;
    const known = members.get(obfuscated);
    const method: MappedMethod = {
      className: className ?? null,
      name,
      from: numberOf(first),
      to: numberOf(last),
      originalFrom: numberOf(originalFrom),
      originalTo: numberOf(originalTo ?? originalFrom),
    };
    if (known) known.push(method);
    else members.set(obfuscated, [method]);
  }
  return { name: place.name, sourceFile, members: () => members };
}

const numberOf = (digits: string | undefined): number | null =>
  digits === undefined ? null : Number(digits);
