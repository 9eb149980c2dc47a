import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { engineOwner } from '#storage/embedded/engine-user.ts';
import { findFreePort } from '#storage/embedded/free-port.ts';
import { dial } from './dial.ts';
import type { TestPostgres } from './postgres-servers.ts';
import { makeDataDir } from './start-errata.ts';
import { until } from './until.ts';

const PROGRAMS = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'];
const findProgram = (): string | null => PROGRAMS.find((program) => existsSync(program)) ?? null;

/** Why tests over a pooler are skipped; null when there is one. */
export const poolerMissing = (): string | null =>
  findProgram() === null ? 'no pgbouncer: install the package of the system' : null;

/** Fewer than a server with all roles wants at once, so that they get each other's. */
const CONNECTIONS = 4;

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A pooler in transaction mode in front of a server, with the settings that its package has. */
export async function startPgBouncer(server: TestPostgres): Promise<{ url: string; stop(): void }> {
  const program = findProgram();
  if (program === null) throw new Error(poolerMissing() ?? '');
  const folder = makeDataDir();
  mkdirSync(folder, { recursive: true });
  const port = await findFreePort();
  const users = path.join(folder, 'users.txt');
  writeFileSync(users, `"errata" "${server.password}"\n`);
  const settings = path.join(folder, 'pgbouncer.ini');
  writeFileSync(
    settings,
    [
      '[databases]',
      `errata = host=127.0.0.1 port=${server.port} dbname=errata`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      `default_pool_size = ${CONNECTIONS}`,
      '',
    ].join('\n'),
  );
  const owner = engineOwner();
  const child = spawn(program, ['-q', settings], {
    stdio: 'ignore',
    cwd: '/',
    // It refuses to run as root.
    ...(owner && { uid: owner.uid, gid: owner.gid }),
  });
  running.add(child);
  await until('the pooler listens', async () => {
    const { socket, isClosed } = await dial(port);
    const isOpen = !isClosed();
    socket.destroy();
    return isOpen;
  });
  return {
    url: server.url.replace(`:${server.port}/`, `:${port}/`),
    stop() {
      child.kill('SIGKILL');
      running.delete(child);
      rmSync(path.dirname(folder), { recursive: true, force: true });
    },
  };
}
