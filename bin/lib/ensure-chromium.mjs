import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Draws no window, which takes half of the time of one that does. */
const WINDOWLESS = 'chromium-headless-shell';
const NAMES = [WINDOWLESS, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * A Chromium for the browser journeys: CHROME_PATH, one in PATH, else installed through apt as root, else playwright's
 * own download. Answers its path; null when none of this works (the journeys then say that they are skipped).
 */
export async function ensureChromium(nodePath) {
  const canInstall = process.getuid?.() === 0 && findInPath(['apt-get']) !== null;
  const present = findChromium();
  const isBest = process.env.CHROME_PATH || present?.endsWith(WINDOWLESS);
  if (canInstall && !isBest) {
    console.log('Installing Chromium for the browser journeys …');
    // Where another one is there, a package that is not at hand is not looked for.
    if (present) aptInstall(WINDOWLESS);
    else if (!installWithApt(WINDOWLESS)) installWithApt('chromium');
  }
  return findChromium() ?? downloadWithPlaywright(nodePath);
}

/** As root on Debian and its like; anything that fails only leaves the package away. */
export function installWithApt(packageName) {
  if (aptInstall(packageName)) return true;
  spawnSync('apt-get', ['update'], { env: aptEnv(), stdio: 'ignore' });
  return aptInstall(packageName);
}

const aptEnv = () => ({ ...process.env, DEBIAN_FRONTEND: 'noninteractive' });

function aptInstall(packageName) {
  const args = ['install', '-y', '--no-install-recommends', packageName];
  return spawnSync('apt-get', args, { env: aptEnv(), stdio: 'ignore' }).status === 0;
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
