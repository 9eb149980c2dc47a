import { findDuplicates, type Place } from './find-duplicates.ts';
import { findFileKnots, findFolderKnots } from './find-knots.ts';
import { isInternal, isTest, listSources, readImports, readSource } from './read-source-tree.ts';
import { SMALL_ON_PURPOSE } from './small-on-purpose.ts';

/** A file above this should be split. */
const LINES_MAX = 350;
/** A file below this with a single importer belongs in that importer, unless it has a test of its own or its name is a concept. */
const SMALL_LINES = 30;

export type SmallFile = { file: string; lines: number; importer: string };

export type Size = {
  /** Lines of each file, by path relative to src; tests are left out. */
  lines: ReadonlyMap<string, number>;
  median: number;
  p90: number;
  long: readonly string[];
  small: readonly SmallFile[];
  duplicates: readonly Place[][];
  fileKnots: readonly string[][];
  folderKnots: readonly string[][];
};

/** Measures everything below src except tests. */
export function measureSize(): Size {
  const sources = listSources();
  const files = sources.filter((file) => !isTest(file));
  const tested = new Set(sources.filter(isTest).map((file) => file.replace(/\.test\.tsx?$/, '')));
  const lines = new Map(files.map((file) => [file, countLines(file)]));
  const imports = files.flatMap(readImports).filter(isInternal);
  const sorted = [...lines.values()].sort((a, b) => a - b);
  const importers = Map.groupBy(imports, (entry) => entry.to);
  const small = files.flatMap((file) => {
    const by = new Set(importers.get(file)?.map((entry) => entry.from));
    const [importer] = by;
    const own = lines.get(file)!;
    if (by.size !== 1 || !importer || own >= SMALL_LINES) return [];
    if (tested.has(file.replace(/\.tsx?$/, '')) || isSmallOnPurpose(file)) return [];
    if (directiveOf(file) !== directiveOf(importer)) return [];
    return [{ file, lines: own, importer }];
  });
  return {
    lines,
    median: percentile(sorted, 0.5),
    p90: percentile(sorted, 0.9),
    long: files.filter((file) => lines.get(file)! > LINES_MAX),
    small,
    duplicates: findDuplicates(files),
    fileKnots: findFileKnots(files, imports),
    folderKnots: findFolderKnots(imports),
  };
}

function isSmallOnPurpose(file: string): boolean {
  return SMALL_ON_PURPOSE.some(({ files }) => files.test(file));
}

/** Client components and server actions need a file of their own: the framework draws the line at their first statement. */
function directiveOf(file: string): string | null {
  return /^['"](use client|use server)['"]/.exec(readSource(file))?.[1] ?? null;
}

function countLines(file: string): number {
  return readSource(file).split('\n').length - 1;
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
