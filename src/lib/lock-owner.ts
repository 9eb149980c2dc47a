import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';

/** What tells this process from every other one, for a lock that outlives it. */
export async function describeOwner(): Promise<string> {
  const { pid } = process;
  return `${JSON.stringify({ pid, host: hostname(), begun: await beginOf(pid) })}\n`;
}

/**
 * Whether the process that described itself so ran on this machine and is gone. A container that starts again gives the same ids to
 * other processes, so one that is there must have begun when the owner did.
 */
export async function hasDied(owner: string): Promise<boolean> {
  const pid = Number(/"pid":(\d+)/.exec(owner)?.[1] ?? 0);
  if (pid === 0 || !owner.includes(JSON.stringify(hostname()))) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  const begun = await beginOf(pid);
  if (begun === null) return false;
  const ownerBegun = /"begun":(\d+)/.exec(owner)?.[1];
  // Versions before 1.0 did not note it: then at least this process is not the owner.
  return ownerBegun === undefined ? pid === process.pid : Number(ownerBegun) !== begun;
}

/** When a process began, in ticks since the machine did; null where the system does not say so. */
async function beginOf(pid: number): Promise<number | null> {
  const facts = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // Behind the name, which may hold anything, the 20th.
  const ticks = facts.slice(facts.lastIndexOf(')') + 2).split(' ')[19];
  return ticks === undefined ? null : Number(ticks);
}
