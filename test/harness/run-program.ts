import { execFile } from 'node:child_process';
import path from 'node:path';
import { childEnv, ROOT } from './start-errata.ts';

/** Runs a program of test/journeys/programs to its end, however it ends. */
export function runProgram(
  name: string,
  options: { args?: readonly string[]; env?: Readonly<Record<string, string>>; command?: string } = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const file = path.join(ROOT, 'test/journeys/programs', name);
  return new Promise((resolve) => {
    const child = execFile(
      options.command ?? process.execPath,
      [file, ...(options.args ?? [])],
      { env: childEnv(options.env ?? {}), encoding: 'utf8', timeout: 60_000 },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

/** The first line of a program's output that is an event id. Throws with all of its output otherwise. */
export function readEventId(result: { stdout: string; stderr: string }): string {
  const match = /^[0-9a-f]{32}$/m.exec(result.stdout);
  if (!match) throw new Error(`The program printed no event id:\n${result.stdout}${result.stderr}`);
  return match[0];
}
