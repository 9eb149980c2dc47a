import { flushCompileCache } from 'node:module';
import { messageOf } from '#lib/errors.ts';
import { createLog, type Log } from '#lib/log.ts';
import type { Config, RoleName } from '../config.ts';
import { giveBackMemory } from './give-back-memory.ts';
import type { FirstRun, FromRole, RoleInit, StartedRole, ToRole } from './messages.ts';

const HEARTBEAT_INTERVAL_MS = 500;

/** The process of some roles: waits for the supervisor's first message, runs, and ends with the supervisor. */
export function runRole(names: readonly (RoleName | 'prepare')[], config: Config): void {
  // Ctrl-C reaches the whole process group; the supervisor decides when each part stops.
  process.on('SIGINT', () => {});
  process.on('disconnect', () => process.exit(0));
  const started = new Map<RoleName, StartedRole>();
  process.on('message', (message: ToRole) => {
    if (message.type === 'init') void begin(message);
    else if (message.type === 'health') {
      for (const role of started.values()) role.onHealth?.(message.checks, message.digest);
    } else if (message.type === 'drain') {
      for (const role of started.values()) role.drain?.();
    } else void end();
  });

  async function begin(init: RoleInit): Promise<void> {
    await Promise.all(names.map((name) => beginOne(name, init, createLog(name, config.logLevel))));
    giveBackMemory();
    // What was compiled now is there for the next start, however this process ends.
    flushCompileCache();
  }

  async function beginOne(name: RoleName | 'prepare', init: RoleInit, log: Log): Promise<void> {
    try {
      if (name === 'prepare') {
        const { prepare } = await import('./prepare.ts');
        const firstRun: FirstRun = await prepare(
          config,
          init,
          log,
          (progress) => void tell({ type: 'upgrading', progress }),
        );
        await tell({ type: 'prepared', firstRun });
        process.exit(0);
      }
      const role = await startRole(name, init, log);
      started.set(name, role);
      const beat = () =>
        void tell({ type: 'heartbeat', role: name, check: role.check(), digest: role.digest?.() });
      beat();
      setInterval(beat, HEARTBEAT_INTERVAL_MS);
    } catch (error) {
      log.error({ error: String(error), stack: (error as Error).stack }, `${name} could not be started`);
      await tell({ type: 'failed', message: messageOf(error) });
      process.exit(1);
    }
  }

  async function end(): Promise<void> {
    await Promise.all(
      [...started].map(([name, role]) =>
        role
          .stop()
          .catch((error: unknown) =>
            createLog(name, config.logLevel).warn({ error: String(error) }, 'The stop was not clean'),
          ),
      ),
    );
    process.exit(0);
  }

  // Loaded on demand: each process holds only what its own roles need.
  async function startRole(roleName: RoleName, init: RoleInit, log: Log): Promise<StartedRole> {
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
