// node bin/run-built.mjs test/conformance/run-sentry-cli.ts [--only TEXT]: every command of sentry-cli, of its current
// major and of the last one, against a server of its own; prints a table command → exit code → effect. Ends with 1 when
// a command or its effect is not as it must be.
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type ErrataHandle, startErrata } from '../harness/start-errata.ts';
import { openCliScene } from './sentry-cli/cli-scene.ts';
import { runStep } from './sentry-cli/cli-step.ts';
import { CLI_MAJORS, CLI_PACKAGES, type CliMajor, findSentryCli } from './sentry-cli/sentry-cli.ts';
import { stepsOf } from './sentry-cli/steps.ts';

const { values } = parseArgs({ options: { only: { type: 'string' } } });
await using server = await startErrata();
let failures = 0;
for (const major of CLI_MAJORS) failures += await runAll(server, major);
process.exitCode = failures > 0 ? 1 : 0;

async function runAll(errata: ErrataHandle, major: CliMajor): Promise<number> {
  const cli = findSentryCli(major);
  if (!cli) {
    console.log(`\n${CLI_PACKAGES[major]} has no program for this machine: skipped`);
    return 0;
  }
  const scene = await openCliScene(errata, major, cli.program);
  let failed = 0;
  console.log(`\n| sentry-cli ${cli.version} | exit code | effect over the API |\n| --- | ---: | --- |`);
  try {
    for (const step of stepsOf(major).filter(({ command }) => command.includes(values.only ?? ''))) {
      try {
        const { code, effect } = await runStep(scene, step);
        console.log(`| \`${step.command}\` | ${code} | ${effect} |`);
      } catch (error) {
        failed += 1;
        console.log(`| \`${step.command}\` | | **failed** |`);
        console.error(error);
      }
    }
  } finally {
    rmSync(scene.folder, { recursive: true, force: true });
  }
  return failed;
}
