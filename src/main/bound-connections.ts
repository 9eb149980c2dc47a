import { readFileSync } from 'node:fs';
import { LIMITS } from '#ingest/limits.ts';

/** Descriptors that the edge needs for other things: connections to the web role, the stores, the spool, blobs. */
const DESCRIPTORS_KEPT = 2_000;
const LIMITS_FILE = '/proc/self/limits';

/** The connections that may be open: the usual bound, or what the system's limit of open files leaves. */
export function boundConnections(openFilesMax: number = readOpenFilesMax()): number {
  const left = openFilesMax > 2 * DESCRIPTORS_KEPT ? openFilesMax - DESCRIPTORS_KEPT : openFilesMax / 2;
  return Math.min(LIMITS.connectionsMax, Math.floor(left));
}

/** Node has raised the soft limit to the hard one by now. Infinity where the system does not tell. */
function readOpenFilesMax(): number {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync(LIMITS_FILE, 'utf8'))?.[1];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
