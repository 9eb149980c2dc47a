import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { childEnv, ROOT } from '../../harness/start-errata.ts';

/** The current one and the last major before it, by the names of their packages here. */
export const CLI_PACKAGES = { 3: '@sentry/cli', 2: 'sentry-cli-2' } as const;
export type CliMajor = keyof typeof CLI_PACKAGES;
export const CLI_MAJORS: readonly CliMajor[] = [3, 2];

const RUN_MS_MAX = 60_000;

export type CliResult = { code: number | null; stdout: string; stderr: string };

const folderOf = (major: CliMajor): string => path.join(ROOT, 'node_modules', CLI_PACKAGES[major]);

/** Its program for this machine; null when it is not installed. */
export function findSentryCli(major: CliMajor): { program: string; version: string } | null {
  const manifest = path.join(folderOf(major), 'package.json');
  if (!existsSync(manifest)) return null;
  const load = createRequire(manifest);
  const { version } = load('./package.json') as { version: string };
  // The program is in a package for the platform, beside this one or below it.
  const platform = `@sentry/cli-${process.platform}-${process.arch}/bin/sentry-cli`;
  try {
    return { program: load.resolve(platform), version };
  } catch {
    return null;
  }
}

/** Runs a command to its end, without a terminal and with nothing of the developer's own configuration. */
export function runSentryCli(
  program: string,
  args: readonly string[],
  options: { folder: string; env: Readonly<Record<string, string>>; signal?: AbortSignal },
): Promise<CliResult> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      [...args],
      {
        cwd: options.folder,
        env: childEnv({ HOME: options.folder, XDG_CONFIG_HOME: options.folder, CI: '1', ...options.env }),
        encoding: 'utf8',
        timeout: RUN_MS_MAX,
        signal: options.signal,
        killSignal: 'SIGKILL',
      },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
    child.stdin?.end();
  });
}
