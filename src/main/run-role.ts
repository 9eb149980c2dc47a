import { flushCompileCache } from 'node:module';
import { messageOf } from '#lib/errors.ts';
import { createLog } from '#lib/log.ts';
import type { Config, RoleName } from '../config.ts';
import type { FirstRun, FromRole, RoleInit, StartedRole, ToRole } from './messages.ts';

const HEARTBEAT_INTERVAL_MS = 500;

/** The process of one role: waits for the supervisor's first message, runs, and ends with the supervisor. */
export function runRole(name: RoleName | 'prepare', config: Config): void {
  const log = createLog(name, config.logLevel);
  // Ctrl-C reaches the whole process group; the supervisor decides when each part stops.
  process.on('SIGINT', () => {});
  process.on('disconnect', () => process.exit(0));
  let role: StartedRole | null = null;
  process.on('message', (message: ToRole) => {
    if (message.type === 'init') void begin(message);
    else if (message.type === 'health') role?.onHealth?.(message.checks, message.digest);
    else void end();
  });

  async function begin(init: RoleInit): Promise<void> {
    try {
      if (name === 'prepare') {
        const { prepare } = await import('./prepare.ts');
        const firstRun: FirstRun = await prepare(config, init, log);
        await tell({ type: 'prepared', firstRun });
        process.exit(0);
      }
      role = await startRole(name, init);
      const beat = () => {
        if (role) void tell({ type: 'heartbeat', role: name, check: role.check(), digest: role.digest?.() });
      };
      beat();
      setInterval(beat, HEARTBEAT_INTERVAL_MS);
      // What was compiled now is there for the next start, however this process ends.
      flushCompileCache();
    } catch (error) {
      log.error({ error: String(error), stack: (error as Error).stack }, `${name} could not be started`);
      await tell({ type: 'failed', message: messageOf(error) });
      process.exit(1);
    }
  }

  async function end(): Promise<void> {
    await role
      ?.stop()
      .catch((error: unknown) => log.warn({ error: String(error) }, 'The stop was not clean'));
    process.exit(0);
  }

  // Loaded on demand: each process holds only what its own role needs.
  async function startRole(roleName: RoleName, init: RoleInit): Promise<StartedRole> {
    switch (roleName) {
      case 'edge':
        return (await import('./start-edge.ts')).startEdge(config, init, log);
      case 'digest':
        return (await import('./start-digest.ts')).startDigest(config, init, log);
      case 'web':
        return (await import('./start-web.ts')).startWeb(config, init, log);
      case 'jobs':
        return (await import('./start-jobs.ts')).startJobs(config, init, log);
    }
  }
}

function tell(message: FromRole): Promise<void> {
  return new Promise((resolve) => {
    if (!process.send || !process.connected) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });
}
