import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const VERBOSE_OPTION = '--verbose';
/** The end of what a tool said tells why it failed; so much fits into a pipe at once. */
const SHOWN_BYTES_MAX = 32 * 1024;

/** Whether whoever starts wants to read what npm and the framework say. */
export const isVerbose = () =>
  process.argv.includes(VERBOSE_OPTION) || process.env.ERRATA_LOG_LEVEL === 'debug';

/**
 * Runs a tool to its end. Its progress is not ours: it goes where logs go, and only when it is asked for or the tool
 * fails. Throws with `failure` then.
 */
export function runTool(command, args, { failure, cwd, env = {}, verbose = isVerbose() }) {
  // A file, since a pipe of spawnSync ends the tool that says more than it holds.
  const folder = mkdtempSync(join(tmpdir(), 'errata-start-'));
  const file = join(folder, 'output.txt');
  const output = verbose ? 2 : openSync(file, 'a');
  try {
    const { status, error } = spawnSync(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', output, output],
      shell: process.platform === 'win32',
    });
    if (status === 0) return;
    if (!verbose) process.stderr.write(readFileSync(file).subarray(-SHOWN_BYTES_MAX));
    throw new Error(`${failure} (${command} ${args[0]}): ${error?.message ?? 'see above'}`);
  } finally {
    if (!verbose) closeSync(output);
    rmSync(folder, { recursive: true, force: true });
  }
}
