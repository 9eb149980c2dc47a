import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { ROOT } from './start-errata.ts';

/**
 * CHROME_PATH, a Chromium in PATH, or playwright's own download; null when there is none. The one without a window comes
 * first: the others draw the window that nobody sees, which takes as much time as the pages do.
 */
export function findChromium(): string | null {
  const names = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
  ];
  const inPath = (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => names.map((name) => path.join(folder, name)));
  const candidates = [process.env.CHROME_PATH ?? '', ...inPath, chromium.executablePath()];
  return candidates.find((file) => file !== '' && existsSync(file)) ?? null;
}

export const NO_CHROMIUM = 'no Chromium here: install one or name it in CHROME_PATH';

// The sandbox needs privileges that containers and root do not give it.
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage'];
/** Names the browser that `shareChromium` started, to this process and those that it starts. */
const ENDPOINT_VARIABLE = 'ERRATA_TEST_BROWSER_ENDPOINT';

/**
 * A browser without a window, with contexts of its own: the shared one when there is one, else a new one. Throws when
 * there is none: ask `findChromium` first.
 */
export async function launchChromium(): Promise<Browser> {
  const endpoint = process.env[ENDPOINT_VARIABLE];
  if (endpoint) return chromium.connect(endpoint);
  const executablePath = findChromium();
  if (executablePath === null) throw new Error(NO_CHROMIUM);
  return chromium.launch({ executablePath, args: ARGS });
}

/** Starts one browser for all that ask later: a start costs a second of processor. Answers how to end it. */
export async function shareChromium(): Promise<() => Promise<void>> {
  const executablePath = findChromium();
  if (executablePath === null) return async () => {};
  const server = await chromium.launchServer({ executablePath, args: ARGS });
  process.env[ENDPOINT_VARIABLE] = server.wsEndpoint();
  return async () => {
    delete process.env[ENDPOINT_VARIABLE];
    await server.close();
  };
}

/** Runs a walk through pages; when it fails, what the page showed then is kept in test-results/. */
export async function keepingScreenshot(page: Page, name: string, walk: () => Promise<void>): Promise<void> {
  try {
    await walk();
  } catch (error) {
    await page.screenshot({ path: path.join(ROOT, 'test-results', `${name}.png`), fullPage: true });
    throw error;
  }
}
