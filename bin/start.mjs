// `npm start`: installs, builds, starts everything. Plain JavaScript, since it runs before anything is installed.
// `--verbose` shows what npm and the framework say on the way.
import {
  ensureBuilt,
  ensureInstalled,
  ensureInstalledToRun,
  keepWhatRuns,
  ROOT,
} from './lib/ensure-installed.mjs';
import { runMain } from './lib/run-main.mjs';

const isDevelopment = process.argv.includes('--dev');
try {
  process.chdir(ROOT);
  if (isDevelopment) ensureInstalled();
  else {
    ensureInstalledToRun();
    ensureBuilt();
    keepWhatRuns();
  }
  // The time that is told at the end counts from here, installation and build included.
  process.exitCode = await runMain([
    'serve',
    ...process.argv.slice(2),
    `--since=${Math.round(performance.timeOrigin)}`,
  ]);
} catch (error) {
  console.error(`errata: ${error.message}`);
  process.exitCode = 1;
}
