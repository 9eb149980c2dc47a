import { readdirSync, readFileSync } from 'node:fs';
import { until } from './until.ts';

/** Clock ticks of /proc/<pid>/stat: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** False for a process that is gone or only waits to be reaped. */
export function isAlive(pid: number): boolean {
  const stat = readStat(pid);
  return stat !== null && stat.state !== 'Z';
}

/** The process itself and everything it started, as far as it is still there. Linux only. */
export function listProcessTree(rootPids: readonly number[]): number[] {
  const childrenByParent = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const stat = Number.isInteger(pid) ? readStat(pid) : null;
    if (stat) childrenByParent.set(stat.parentPid, [...(childrenByParent.get(stat.parentPid) ?? []), pid]);
  }
  const tree = new Set<number>();
  const queue = [...rootPids];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    if (tree.has(pid) || !isAlive(pid)) continue;
    tree.add(pid);
    queue.push(...(childrenByParent.get(pid) ?? []));
  }
  return [...tree];
}

/** SIGKILL to the process and everything it started, and waits for their end. */
export async function killTree(rootPid: number): Promise<void> {
  const tree = listProcessTree([rootPid]);
  for (const pid of tree.filter(isAlive)) process.kill(pid, 'SIGKILL');
  await until('the end of everything', () => !tree.some(isAlive));
}

/** Proportional set size: shared pages are divided among those who share them, so that sums are true. */
export function readPssBytes(pid: number): number {
  try {
    const match = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
    return match ? Number(match[1]) * 1024 : 0;
  } catch {
    return 0;
  }
}

/** User and system time of one process since its start; zero when it is gone. */
export function readCpuSeconds(pid: number): number {
  return readStat(pid)?.cpuSeconds ?? 0;
}

function readStat(pid: number): { state: string; parentPid: number; cpuSeconds: number } | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The command's name stands in parentheses and may hold anything; the fields count from behind it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { state: fields[0] ?? '', parentPid: Number(fields[1]), cpuSeconds: ticks / TICKS_PER_SECOND };
}
