// `npm start`: installs, builds, starts everything. Plain JavaScript, since it runs before anything is installed.
import { ensureBuilt, ensureInstalled, ROOT } from './lib/ensure-installed.mjs';
import { runMain } from './lib/run-main.mjs';

const isDevelopment = process.argv.includes('--dev');
try {
  process.chdir(ROOT);
  ensureInstalled();
  if (!isDevelopment) ensureBuilt();
  process.exitCode = await runMain(['serve', ...process.argv.slice(2)]);
} catch (error) {
  console.error(`errata: ${error.message}`);
  process.exitCode = 1;
}
