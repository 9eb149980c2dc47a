import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * A Chromium for the browser journeys: CHROME_PATH, one in PATH, else installed through apt as root, else playwright's
 * own download. Answers its path; null when none of this works (the journeys then say that they are skipped).
 */
export async function ensureChromium(nodePath) {
  const present = findChromium();
  if (present) return present;
  if (process.getuid?.() === 0 && findInPath(['apt-get'])) {
    console.log('Installing Chromium for the browser journeys …');
    installWithApt('chromium');
    const installed = findChromium();
    if (installed) return installed;
  }
  return downloadWithPlaywright(nodePath);
}

/** As root on Debian and its like; anything that fails only leaves the package away. */
export function installWithApt(packageName) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = () =>
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', packageName], { env, stdio: 'ignore' });
  if (install().status === 0) return true;
  spawnSync('apt-get', ['update'], { env, stdio: 'ignore' });
  return install().status === 0;
}

function findChromium() {
  const named = process.env.CHROME_PATH;
  return named && existsSync(named) ? named : findInPath(NAMES);
}

function findInPath(names) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find(existsSync) ?? null;
}

async function downloadWithPlaywright(nodePath) {
  const { chromium } = await import('playwright-core');
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  console.log('Downloading Chromium for the browser journeys …');
  const cli = path.resolve(import.meta.dirname, '../../node_modules/playwright-core/cli.js');
  spawnSync(nodePath, [cli, 'install', 'chromium'], { stdio: 'ignore' });
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : null;
}
