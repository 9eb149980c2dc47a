import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '#lib/secret-file.ts';

/** What a running server tells the command line beside it; mode 0600, since it holds the stores' passwords. */
export type Runtime = {
  /** Public address. */
  url: string;
  /** The same server, reached from this machine. */
  localUrl: string;
  /** Process id of the supervisor. */
  pid: number;
  databaseUrl: string;
  clickhouseUrl: string;
  /** Part (role or engine) → process id. */
  processes: Record<string, number>;
};

export function writeRuntime(dataDir: string, runtime: Runtime): void {
  writePrivateFile(join(dataDir, 'runtime.json'), `${JSON.stringify(runtime, null, 2)}\n`);
}

/** null when no server runs on the data directory. */
export function readRuntime(dataDir: string): Runtime | null {
  const path = join(dataDir, 'runtime.json');
  if (!existsSync(path)) return null;
  try {
    const runtime = JSON.parse(readFileSync(path, 'utf8')) as Runtime;
    process.kill(runtime.pid, 0);
    return runtime;
  } catch {
    return null;
  }
}

export function removeRuntime(dataDir: string): void {
  rmSync(join(dataDir, 'runtime.json'), { force: true });
}
