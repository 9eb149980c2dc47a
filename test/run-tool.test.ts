import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const MODULE = pathToFileURL(path.resolve(import.meta.dirname, '../bin/lib/run-tool.mjs')).href;
/** More than a pipe of spawnSync holds. */
const NOISE = "process.stdout.write('noise '.repeat(400_000)); console.error('the reason')";

test('what a tool says is hidden while it goes well', () => {
  expect(runNoisyTool(0)).toEqual({ code: 0, said: '' });
});

test('it is shown when the tool fails, and when it was asked for', () => {
  const failed = runNoisyTool(3);
  expect(failed.code).toBe(1);
  expect(failed.said).toContain('noise noise');
  expect(failed.said).toContain('the reason');
  expect(failed.said).toContain('The build failed');
  expect(runNoisyTool(0, ['--verbose']).said).toContain('the reason');
  expect(runNoisyTool(0, [], { ERRATA_LOG_LEVEL: 'debug' }).said).toContain('the reason');
});

function runNoisyTool(
  code: number,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): { code: number | null; said: string } {
  const tool = `${NOISE}; process.exitCode = ${code}`;
  const program = `
    import { runTool } from ${JSON.stringify(MODULE)};
    runTool(process.execPath, ['-e', ${JSON.stringify(tool)}], { failure: 'The build failed', cwd: '.' });`;
  const { ERRATA_LOG_LEVEL: _, ...inherited } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', program, '--', ...args],
    { env: { ...inherited, ...env }, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  return { code: status, said: `${stdout}${stderr}` };
}
