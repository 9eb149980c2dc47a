import { readFileSync } from 'node:fs';
import { DataType, load, open } from 'ffi-rs';

const MADV_DONTNEED = 4;

/** Part of a program's file in the memory of this process, as it is on disk. */
export type FilePart = { start: number; bytes: number };

/**
 * Lets the kernel have back what this process has mapped of a library's file: code and constants that are needed again
 * are mapped again, from the file. A start touches hundreds of megabytes that nothing needs afterwards, and they would
 * count as memory of this process until the machine has none left. Linux only; answers the bytes that it offered.
 */
export function releasePages(library: string): number {
  let smaps: string;
  try {
    smaps = readFileSync('/proc/self/smaps', 'utf8');
  } catch {
    return 0;
  }
  open({ library: 'libc', path: 'libc.so.6' });
  let bytes = 0;
  for (const part of listUnchangedParts(smaps, library)) {
    const result = load({
      library: 'libc',
      funcName: 'madvise',
      retType: DataType.I32,
      paramsType: [DataType.I64, DataType.I64, DataType.I32],
      paramsValue: [part.start, part.bytes, MADV_DONTNEED],
    });
    if (result === 0) bytes += part.bytes;
  }
  return bytes;
}

const MAPPING = /^([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ \d+ +(\S.*)$/;
/** A page that the process has written to is not in the file: without it the program would read what was there first. */
const CHANGED = /^(?:Anonymous|Private_Dirty|Shared_Dirty|Swap): +(\d+) kB$/;

/** The parts of the file that cannot be written to and have no page of the process's own, of a text like /proc/self/smaps. */
export function listUnchangedParts(smaps: string, file: string): FilePart[] {
  const parts: FilePart[] = [];
  let isPart = false;
  for (const line of smaps.split('\n')) {
    const mapping = MAPPING.exec(line);
    if (mapping) {
      const [, from = '', to = '', rights = '', path] = mapping;
      isPart = path === file && !rights.includes('w');
      const start = Number.parseInt(from, 16);
      if (isPart) parts.push({ start, bytes: Number.parseInt(to, 16) - start });
    } else if (/^[0-9a-f]+-[0-9a-f]+ /.test(line)) {
      // A mapping without a file.
      isPart = false;
    } else if (isPart && Number(CHANGED.exec(line)?.[1] ?? 0) > 0) {
      parts.pop();
      isPart = false;
    }
  }
  return parts;
}
