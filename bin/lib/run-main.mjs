import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { COMPILE_CACHE } from './compile-cache.mjs';
import { nodePath, ROOT } from './ensure-installed.mjs';
import { VERBOSE_OPTION } from './run-tool.mjs';

const NODE_FLAGS = ['--disable-warning=ExperimentalWarning'];

/**
 * Runs src/main.ts with the right Node and answers its exit code. The channel between the two closes when this process
 * dies, however it dies, and then the server stops.
 */
export function runMain(given) {
  const args = given.filter((arg) => arg !== VERBOSE_OPTION);
  return new Promise((resolve) => {
    const child = spawn(nodePath(), [...NODE_FLAGS, join(ROOT, 'src/main.ts'), ...args], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env },
    });
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
