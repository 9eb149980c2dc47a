// `npm run build`: installs and builds without starting, so that the next start finds everything in place.
import { ensureBuilt, ensureInstalled } from './lib/ensure-installed.mjs';

try {
  ensureInstalled();
  ensureBuilt();
} catch (error) {
  console.error(`errata: ${error.message}`);
  process.exitCode = 1;
}
