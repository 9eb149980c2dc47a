import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of a running process, `nice` from 1 to 19. Linux keeps it by thread, and threads made later have
 * that of their maker; elsewhere it is the process's. A process that has just ended is no error.
 */
export function yieldProcessor(pid: number, nice: number): void {
  for (const thread of listThreads(pid)) {
    try {
      setPriority(thread, nice);
    } catch (error) {
      if ((error as { info?: { errno?: number } }).info?.errno !== -constants.errno.ESRCH) throw error;
    }
  }
}

function listThreads(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}
