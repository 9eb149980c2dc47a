import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { findChromium, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { exceptionsOf, findEvent } from '../harness/find-event.ts';
import { makeProject } from '../harness/shared-errata.ts';
import { ROOT } from '../harness/start-errata.ts';
import { until } from '../harness/until.ts';

test('an error in a page of another origin, with @sentry/browser in Chromium, is an issue within two seconds', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  const { api, dsn, slug } = await makeProject('browser-sdk');
  await using site = await serveSite(await bundle('browser-throws.js'));
  await using browser = await launchChromium();
  const page = await browser.newPage();
  const refused: string[] = [];
  page.on('console', (message) => /CORS|blocked/i.test(message.text()) && refused.push(message.text()));

  await page.goto(`${site.url}/?dsn=${encodeURIComponent(dsn)}`);
  const [answered] = await Promise.all([
    page.waitForResponse((response) => response.url().includes('/envelope/')),
    page.getByRole('button', { name: 'Check out' }).click(),
  ]);
  expect(answered.status()).toBe(200);
  const eventId = await until('the id of the sent event', () =>
    page.evaluate(() => (globalThis as { sentEventId?: string }).sentEventId),
  );

  const { event, issue } = await findEvent(api, slug, eventId);
  expect(refused).toEqual([]);
  expect(issue.title).toContain('TypeError');
  expect(issue.culprit).not.toBe('');
  const frames = exceptionsOf(event)[0]?.stacktrace?.frames ?? [];
  expect(frames.map((frame) => frame.function)).toContain('renderTotal');
  expect(frames.at(-1)).toMatchObject({ absPath: `${site.url}/app.js`, lineNo: expect.any(Number) });
  expect(event.sdk?.name).toBe('sentry.javascript.browser');
  expect(event.tags.map((tag) => tag.key)).toContain('browser');
});

/** The SDK and the program in one classic script, names kept. */
async function bundle(program: string): Promise<string> {
  const result = await build({
    logLevel: 'error',
    configFile: false,
    build: {
      write: false,
      minify: false,
      lib: {
        entry: path.join(ROOT, 'test/journeys/programs', program),
        formats: ['iife'],
        name: 'program',
      },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  const chunk = output && 'output' in output ? output.output[0] : null;
  if (chunk?.type !== 'chunk') throw new Error('The bundler gave no chunk');
  return chunk.code;
}

async function serveSite(script: string): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/app.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript
        ? script
        : '<!doctype html><title>Shop</title><button>Check out</button><script src="/app.js"></script>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
