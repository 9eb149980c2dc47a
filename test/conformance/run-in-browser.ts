import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'vite';
import { findChromium, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { Unavailable } from './unavailable.ts';

const PAGE = '<!doctype html><title>Shop</title><div id="root"></div><script src="/app.js"></script>';
/** The replay's buffer is sent a few seconds after it was filled. */
const REPLAY_MS = 7_000;

/** Bundles the program into a page of its own origin, opens it in Chromium and calls its `sendAll`. */
export async function runInBrowser(program: string, dsn: string): Promise<void> {
  if (findChromium() === null) throw new Unavailable(NO_CHROMIUM);
  const script = await bundle(program);
  const server = createServer((request, response) => {
    const isScript = request.url === '/app.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await using browser = await launchChromium();
    const page = await browser.newPage();
    await page.goto(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/?dsn=${encodeURIComponent(dsn)}`,
    );
    await callSendAll(page);
    await page.waitForTimeout(REPLAY_MS);
    // A hidden page sends what it still holds.
    await page.goto('about:blank');
    await page.waitForTimeout(1_000);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

export async function callSendAll(page: {
  waitForFunction(expression: string): Promise<unknown>;
  evaluate(expression: string): Promise<unknown>;
}): Promise<void> {
  await page.waitForFunction('typeof window.sendAll === "function"');
  await page.evaluate('window.sendAll()');
}

async function bundle(entry: string): Promise<string> {
  const result = await build({
    logLevel: 'error',
    configFile: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'program' } },
  });
  const [output] = Array.isArray(result) ? result : [result];
  const chunk = output && 'output' in output ? output.output[0] : null;
  if (chunk?.type !== 'chunk') throw new Error('The bundler gave no chunk');
  return chunk.code;
}
