import { listProcessTree, readCpuSeconds, readPssBytes } from '../harness/processes.ts';
import type { ErrataServer } from '../harness/start-errata.ts';

/** Memory by part of the server, in MB (10⁶ bytes): sums of PSS over a part's processes. */
export type MemoryByPart = Record<string, number>;

/** Part → process ids, everything that the server started included; each process belongs to one part. */
export async function listParts(server: ErrataServer): Promise<Map<string, number[]>> {
  const roles = Object.entries(await server.pids());
  // Roles that share a process are one part.
  const parts = new Map<string, number[]>();
  for (const [pid, sharing] of Map.groupBy(roles, ([, id]) => id)) {
    parts.set(sharing.map(([role]) => role).join('+'), listProcessTree([pid]));
  }
  const known = new Set([...parts.values()].flat());
  parts.set(
    'supervisor',
    listProcessTree([server.pid]).filter((pid) => !known.has(pid)),
  );
  return parts;
}

export async function readMemory(server: ErrataServer): Promise<MemoryByPart> {
  const memory: MemoryByPart = {};
  let total = 0;
  for (const [part, pids] of await listParts(server)) {
    const megabytes = pids.reduce((sum, pid) => sum + readPssBytes(pid), 0) / 1e6;
    memory[part] = Math.round(megabytes);
    total += megabytes;
  }
  return { ...memory, total: Math.round(total) };
}

/** CPU seconds that each part has used so far. */
export async function readCpu(server: ErrataServer): Promise<Record<string, number>> {
  const cpu: Record<string, number> = {};
  for (const [part, pids] of await listParts(server)) {
    cpu[part] = pids.reduce((sum, pid) => sum + readCpuSeconds(pid), 0);
  }
  return cpu;
}
