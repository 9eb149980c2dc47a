import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FromRole, RoleInit, ToRole } from './messages.ts';
import type { Running } from './supervised-process.ts';

const STOP_TIMEOUT_MS = 4_000;

export type RoleProcess = Running & { send(message: ToRole): void; kill(): void };

/** Starts `main.ts role <name>` with a channel to it; the role ends itself when the channel closes. */
export function spawnRole(name: string, init: RoleInit, onMessage: (message: FromRole) => void): RoleProcess {
  const child = spawn(
    process.execPath,
    [...process.execArgv, join(import.meta.dirname, '../main.ts'), 'role', name],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, NODE_ENV: init.isDevelopment ? 'development' : 'production' },
    },
  );
  let ended = false;
  const exited = new Promise<void>((resolve) => {
    const end = () => {
      ended = true;
      resolve();
    };
    child.once('exit', end);
    child.once('error', end);
  });
  // A message to a process that is just dying fails; its end is noticed by `exited`.
  const send = (message: ToRole) => {
    if (child.connected) child.send(message, () => {});
  };
  child.on('message', (message) => onMessage(message as FromRole));
  send(init);
  return {
    pid: child.pid ?? 0,
    exited,
    send,
    kill: () => child.kill('SIGKILL'),
    async stop() {
      if (ended) return;
      send({ type: 'stop' });
      await Promise.race([exited, delay(STOP_TIMEOUT_MS, undefined, { ref: false })]);
      if (!ended) child.kill('SIGKILL');
      await exited;
    },
  };
}
