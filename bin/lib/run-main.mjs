import { spawn } from 'node:child_process';
import { COMPILE_CACHE } from './compile-cache.mjs';
import { isBuilt, nodePath } from './ensure-installed.mjs';
import { VERBOSE_OPTION } from './run-tool.mjs';
import { serverEntry } from './server-bundle.mjs';

/** Threads share two pools of memory instead of keeping one each, and give back what is free: 4 to 7 MB of a process. */
const ALLOCATOR = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '65536',
};

/** The server gives back memory when it rests: src/main/give-back-memory.ts. */
const NODE_FLAGS = ['--disable-warning=ExperimentalWarning', '--expose-gc'];

/**
 * Runs the server's program (the bundle, or src/main.ts) with the right Node and answers its exit code. The channel between the two closes when this process
 * dies, however it dies, and then the server stops.
 */
export function runMain(given) {
  const args = given.filter((arg) => arg !== VERBOSE_OPTION);
  const command = [...NODE_FLAGS, serverEntry({ isCurrent: !args.includes('--dev') && isBuilt() }), ...args];
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...ALLOCATOR, ...process.env };
  if (process.execve) return become(command, env);
  return new Promise((resolve) => {
    const child = spawn(nodePath(), command, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
    const parent = process.ppid;
    // npm may be killed without a word; then we are somebody else's child.
    const watch = setInterval(() => {
      if (process.ppid !== parent) child.kill('SIGTERM');
    }, 500);
    // Ctrl-C reaches the whole group, a signal from a program only us. The server hears of each, and stops once.
    process.on('SIGINT', () => child.kill('SIGINT'));
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    process.on('SIGHUP', () => child.kill('SIGTERM'));
    child.on('error', (error) => {
      console.error(`errata: ${error.message}`);
      resolve(1);
    });
    child.on('exit', (code, signal) => {
      clearInterval(watch);
      resolve(code ?? (signal ? 1 : 0));
    });
  });
}

/** In place of this process, so that none waits beside the server. It watches its parent itself: src/main/serve.ts. */
function become(command, env) {
  const watched = command.includes('serve') ? [`--parent=${process.ppid}`] : [];
  // Node says that the call is experimental; nobody who starts a server needs to know.
  process.removeAllListeners('warning');
  process.execve(nodePath(), [nodePath(), ...command, ...watched], env);
}
