// Runs of identical lines in different places: code that was copied instead of shared.
import { parseSource, readSource } from './read-source-tree.ts';

/** Shorter runs are idioms, not copies. */
const RUN_LINES_MIN = 6;
/** Six lines of closing brackets are not a copy. */
const RUN_CHARACTERS_MIN = 80;

export type Place = { file: string; firstLine: number; lastLine: number };

type Line = { number: number; text: string };

/** Every run that occurs more than once, with all its places, longest first. */
export function findDuplicates(files: readonly string[]): Place[][] {
  const lines = new Map(files.map((file) => [file, normalizedLines(file)]));
  const windows = new Map<string, { file: string; at: number }[]>();
  for (const [file, own] of lines) {
    for (let at = 0; at + RUN_LINES_MIN <= own.length; at++) {
      const text = own
        .slice(at, at + RUN_LINES_MIN)
        .map((line) => line.text)
        .join('\n');
      if (text.length < RUN_CHARACTERS_MIN) continue;
      const places = windows.get(text) ?? [];
      windows.set(text, places);
      places.push({ file, at });
    }
  }
  const runs = mergeOverlapping([...windows.values()].filter((places) => places.length > 1));
  return runs
    .map(({ starts, length }) =>
      starts.map(({ file, at }) => {
        const own = lines.get(file)!;
        return { file, firstLine: own[at]!.number, lastLine: own[at + length - 1]!.number };
      }),
    )
    .sort((a, b) => linesOf(b[0]!) - linesOf(a[0]!));
}

/** Lines that also occur elsewhere, each counted once. */
export function countDuplicateLines(duplicates: readonly Place[][]): number {
  const seen = new Set<string>();
  for (const { file, firstLine, lastLine } of duplicates.flat()) {
    for (let line = firstLine; line <= lastLine; line++) seen.add(`${file}:${line}`);
  }
  return seen.size;
}

export function linesOf(place: Place): number {
  return place.lastLine - place.firstLine + 1;
}

/** Windows that advance by one line in every place belong to the same run. */
function mergeOverlapping(windows: readonly { file: string; at: number }[][]) {
  type Run = { starts: { file: string; at: number }[]; length: number };
  const open = new Map<string, Run>();
  const runs: Run[] = [];
  const key = (places: readonly { file: string; at: number }[], shift: number) =>
    places.map(({ file, at }) => `${file}:${at + shift}`).join('|');
  for (const places of windows) {
    const run = open.get(key(places, 0));
    if (run) run.length++;
    else runs.push({ starts: places, length: RUN_LINES_MIN });
    open.set(key(places, 1), run ?? runs.at(-1)!);
  }
  return runs;
}

/** Without imports, blank lines, comments and differences of spacing. */
function normalizedLines(file: string): Line[] {
  const source = readSource(file);
  const { module } = parseSource(file);
  let text = source;
  for (const { start, end } of module.staticImports) {
    text = text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, ' ') + text.slice(end);
  }
  return text
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line.trim().replace(/\s+/g, ' ') }))
    .filter((line) => line.text !== '' && !/^(\/\/|\/\*|\*)/.test(line.text));
}
