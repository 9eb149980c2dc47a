import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { ROOT } from '../../harness/start-errata.ts';

const hasBrowser = findChromium() !== null;
const ROWS = 1_000;
/** The browser calls a task long from 50 ms on; other programs may hold a core of this machine for as long again. */
const LONG_TASK_MS_MAX = 150;
const SCROLL_STEPS = 40;
/** Of the style sheet only what makes it scroll. */
const PAGE =
  '<!doctype html><html lang="en"><style>.overflow-auto { overflow: auto }</style><div id="root"></div></html>';

describe.skipIf(!hasBrowser)(`a table of a thousand rows${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let script: string;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'errata-table-'));
    script = await bundle(folder);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('scrolls without long tasks, holds few rows, and says how many there are', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.setContent(PAGE);
    await page.addScriptTag({ content: script, type: 'module' });
    const table = page.locator('table[aria-rowcount]');
    await table.waitFor();
    expect(await table.getAttribute('aria-rowcount')).toBe(String(ROWS + 1));

    await page.evaluate(() => {
      const tasks: number[] = [];
      Object.assign(window, { longTasks: tasks });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) tasks.push(entry.duration);
      }).observe({ type: 'longtask' });
    });
    const most = await page.evaluate(async (steps) => {
      const scroller = document.querySelector('table')?.parentElement;
      if (!scroller) throw new Error('Nothing scrolls');
      let rows = 0;
      for (let step = 1; step <= steps; step += 1) {
        scroller.scrollTop = (scroller.scrollHeight - scroller.clientHeight) * (step / steps);
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        rows = Math.max(rows, document.querySelectorAll('tbody tr[aria-rowindex]').length);
      }
      return rows;
    }, SCROLL_STEPS);
    expect(most).toBeLessThan(60);
    await page.getByText(`value ${ROWS}`, { exact: true }).waitFor();
    expect(await page.locator('tbody tr[aria-rowindex]').last().getAttribute('aria-rowindex')).toBe(
      String(ROWS + 1),
    );
    const tasks = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks);
    expect(Math.max(0, ...tasks)).toBeLessThan(LONG_TASK_MS_MAX);
    await page.close();
  });
});

/** The table alone, as one script. */
async function bundle(folder: string): Promise<string> {
  const entry = path.join(folder, 'entry.tsx');
  writeFileSync(
    entry,
    `import { createElement } from 'react';
     import { createRoot } from 'react-dom/client';
     import { DataTable } from ${JSON.stringify(path.join(ROOT, 'src/ui/data-table.tsx'))};
     const rows = Array.from({ length: ${ROWS} }, (_, index) => ({
       key: String(index),
       cells: ['value ' + (index + 1), String(index * 7919 % 10007)],
     }));
     createRoot(document.getElementById('root')).render(
       createElement(DataTable, {
         label: 'Values',
         columns: [{ heading: 'Value' }, { heading: 'Events', align: 'right' }],
         rows,
       }),
     );`,
  );
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    // Tests run as development, which this is not.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    resolve: {
      alias: {
        react: path.join(ROOT, 'node_modules/react'),
        'react-dom': path.join(ROOT, 'node_modules/react-dom'),
      },
    },
    build: {
      outDir: path.join(folder, 'out'),
      emptyOutDir: true,
      lib: { entry, formats: ['es'], fileName: () => 'table.js' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  return readFileSync(path.join(folder, 'out/table.js'), 'utf8');
}
