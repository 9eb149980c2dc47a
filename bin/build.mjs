// `npm run build`: installs and builds without starting, so that the next start finds everything in place.
import { ensureBuilt, ensureInstalledToRun, keepWhatRuns } from './lib/ensure-installed.mjs';

try {
  ensureInstalledToRun();
  ensureBuilt();
  keepWhatRuns();
} catch (error) {
  console.error(`errata: ${error.message}`);
  process.exitCode = 1;
}
