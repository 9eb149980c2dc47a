import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from './until.ts';

/** A control group of Linux with a bound on the memory of its processes, page cache included. */
export type MemoryGroup = {
  folder: string;
  /** Most that was used at once, in bytes; the page cache fills up to the bound. */
  readPeakBytes(): number;
  /** Processes that the kernel killed because the group had no memory left. */
  countKilled(): number;
  remove(): Promise<void>;
};

/** The names of version 1 and of version 2. */
const VERSIONS = [
  {
    root: '/sys/fs/cgroup/memory',
    bound: 'memory.limit_in_bytes',
    swap: null,
    peak: 'memory.max_usage_in_bytes',
    events: 'memory.oom_control',
  },
  {
    root: '/sys/fs/cgroup',
    bound: 'memory.max',
    swap: 'memory.swap.max',
    peak: 'memory.peak',
    events: 'memory.events',
  },
] as const;

/** null where this process may not make one. */
export function makeMemoryGroup(bytesMax: number): MemoryGroup | null {
  for (const { root, bound, swap, peak, events } of VERSIONS) {
    const folder = path.join(root, `errata-test-${process.pid}`);
    try {
      mkdirSync(folder);
      writeFileSync(path.join(folder, bound), String(bytesMax));
      if (swap && existsSync(path.join(folder, swap))) writeFileSync(path.join(folder, swap), '0');
    } catch {
      if (existsSync(folder)) rmdirSync(folder);
      continue;
    }
    const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
    return {
      folder,
      readPeakBytes: () => Number(read(peak)),
      countKilled: () => Number(/^oom_kill (\d+)$/m.exec(read(events))?.[1] ?? 0),
      async remove() {
        await until('the end of the processes of the group', () => read('cgroup.procs').trim() === '');
        rmdirSync(folder);
      },
    };
  }
  return null;
}
