import { execFileSync, spawn } from 'node:child_process';
import path from 'node:path';
import { findFreePort } from '#storage/embedded/free-port.ts';
import { findChromium, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { childEnv, ROOT } from '../harness/start-errata.ts';
import { until } from '../harness/until.ts';
import { callSendAll } from './run-in-browser.ts';
import { Unavailable } from './unavailable.ts';

const NEXT = path.join(ROOT, 'node_modules/next/dist/bin/next');
const BUILD_MS = 5 * 60_000;

/** Builds a small app with the SDK's own plugin, serves it, and lets both of its sides fail. */
export async function runNext(folder: string, dsn: string): Promise<void> {
  if (findChromium() === null) throw new Unavailable(NO_CHROMIUM);
  const env = childEnv({ SENTRY_DSN: dsn, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' });
  execFileSync(process.execPath, [NEXT, 'build'], { cwd: folder, env, timeout: BUILD_MS, stdio: 'pipe' });
  const port = await findFreePort();
  const app = spawn(process.execPath, [NEXT, 'start', '--port', String(port)], {
    cwd: folder,
    env,
    stdio: 'ignore',
  });
  try {
    const url = `http://127.0.0.1:${port}/?dsn=${encodeURIComponent(dsn)}`;
    await until(
      'the app to answer',
      () =>
        fetch(url).then(
          (answer) => answer.ok,
          () => false,
        ),
      { timeoutMs: 30_000 },
    );
    await using browser = await launchChromium();
    const page = await browser.newPage();
    await page.goto(url);
    await callSendAll(page);
    await page.waitForTimeout(3_000);
    await page.goto('about:blank');
    await page.waitForTimeout(1_000);
  } finally {
    app.kill('SIGTERM');
  }
}
