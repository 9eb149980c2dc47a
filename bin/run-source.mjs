// Runs a TypeScript program that needs the installed dependencies and no build: `node bin/run-source.mjs FILE …`.
import { spawnSync } from 'node:child_process';
import { ensureInstalled, nodePath, ROOT } from './lib/ensure-installed.mjs';

ensureInstalled(console.error);
const { status } = spawnSync(
  nodePath(),
  ['--disable-warning=ExperimentalWarning', ...process.argv.slice(2)],
  {
    cwd: ROOT,
    stdio: 'inherit',
  },
);
process.exitCode = status ?? 1;
