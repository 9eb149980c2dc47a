// Runs a TypeScript program that needs the installed dependencies and the built pages: `node bin/run-built.mjs FILE …`.
// With `--unbuilt` in front of the file it does without the pages.
import { spawnSync } from 'node:child_process';
import { ensureBuilt, ensureInstalled, nodePath, ROOT } from './lib/ensure-installed.mjs';

const isUnbuilt = process.argv[2] === '--unbuilt';
ensureInstalled(console.error);
if (!isUnbuilt) ensureBuilt(console.error);
const { status } = spawnSync(
  nodePath(),
  ['--disable-warning=ExperimentalWarning', ...process.argv.slice(isUnbuilt ? 3 : 2)],
  {
    cwd: ROOT,
    stdio: 'inherit',
  },
);
process.exitCode = status ?? 1;
