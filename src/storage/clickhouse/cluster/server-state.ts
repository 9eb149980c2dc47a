import { messageOf } from '#lib/errors.ts';
import type { ServerState } from '../client.ts';
import type { ClusterServer } from './cluster-servers.ts';

/** Asks a server how it is; it never throws. */
export async function readServerState(
  { shard, host, system }: ClusterServer,
  { name, storedIn }: { name: string; storedIn: string },
): Promise<ServerState> {
  const server = { name: `shard ${shard}, ${host}`, error: null };
  try {
    const [row] = await system.query<Omit<ServerState, 'name' | 'error'>>(
      `SELECT version() AS version,
         (SELECT sum(rows) FROM system.parts WHERE database = {storedIn:String} AND active) AS rows,
         (SELECT sum(data_files) FROM system.distribution_queue WHERE database = {name:String}) AS waitingFiles,
         (SELECT max(absolute_delay) FROM system.replicas WHERE database = {storedIn:String}) AS delaySeconds`,
      { name, storedIn },
    );
    if (!row) throw new Error('it answered no row');
    return { ...server, ...row };
  } catch (error) {
    return { ...server, error: messageOf(error), version: '', rows: 0, waitingFiles: 0, delaySeconds: 0 };
  }
}
