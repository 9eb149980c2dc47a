// Runs a TypeScript program that needs the installed dependencies and the built pages: `node bin/run-built.mjs FILE …`.
import { spawnSync } from 'node:child_process';
import { ensureBuilt, ensureInstalled, nodePath, ROOT } from './lib/ensure-installed.mjs';

ensureInstalled(console.error);
ensureBuilt(console.error);
const { status } = spawnSync(
  nodePath(),
  ['--disable-warning=ExperimentalWarning', ...process.argv.slice(2)],
  {
    cwd: ROOT,
    stdio: 'inherit',
  },
);
process.exitCode = status ?? 1;
