import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE_MS } from '#lib/time.ts';
import type { ApiClient } from '../../harness/api-client.ts';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { parseDsn } from '../../harness/envelope.ts';
import { READABLE_WITHIN_MS } from '../../harness/find-event.ts';
import {
  buildApp,
  type InstalledApps,
  installApps,
  NotInstalled,
  startApp,
} from '../../harness/real-apps.ts';
import { serveSite } from '../../harness/serve-site.ts';
import { makeProject, openAsOwner, sharedErrata } from '../../harness/shared-errata.ts';
import { startShopDatabase } from '../../harness/shop-database.ts';
import { ROOT } from '../../harness/start-errata.ts';
import { until } from '../../harness/until.ts';

const hasBrowser = findChromium() !== null;
const SET_UP_MS = 15 * MINUTE_MS;
const NEXT = path.join(ROOT, 'node_modules/next/dist/bin/next');
const INSTRUMENTED = ['--import', './instrument.mjs', 'orders.mjs'];

type Projects = Readonly<Record<string, { slug: string; dsn: string }>>;
type SpanRow = { traceId: string; description: string };

describe.skipIf(!hasBrowser)(`a trace of real apps${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  const stack = new AsyncDisposableStack();
  const { url } = sharedErrata();
  let browser: Browser;
  let page: Page;
  let api: ApiClient;
  let databaseUrl: string;

  beforeAll(async () => {
    browser = await launchChromium();
    page = await openAsOwner(browser);
    const database = stack.use(await startShopDatabase());
    databaseUrl = database.url;
  });
  afterAll(async () => {
    await stack.disposeAsync();
    await browser?.close();
  });

  const walk = (name: string, steps: () => Promise<void>) =>
    keepingScreenshot(page, `real-apps-${name}`, steps);
  const tree = () => page.getByRole('tree', { name: 'Spans' });
  const region = (name: string | RegExp) => page.getByRole('region', { name });
  const lines = (list: string | RegExp) => region(list).getByRole('listitem').allTextContents();

  async function makeProjects(...names: readonly string[]): Promise<Projects> {
    const made: [string, { slug: string; dsn: string }][] = [];
    for (const name of names) {
      const project = await makeProject(name);
      api = project.api;
      made.push([name, project]);
    }
    return Object.fromEntries(made);
  }

  /** The trace of the last service, once as many spans, errors, logs and profiles of it are stored as it has. */
  async function findTrace(
    projects: Projects,
    counts: { logs: number; errors: number; spans: number },
    profiled: readonly string[],
  ): Promise<string> {
    const ledger = projects.ledger?.slug;
    const spans = await until(
      'a span of the last service',
      async () => {
        const rows = await api.get<SpanRow[]>(`/api/0/projects/main/${ledger}/spans/`);
        return rows.length > 0 && rows;
      },
      { timeoutMs: READABLE_WITHIN_MS },
    );
    const traceId = spans[0]?.traceId ?? '';
    type Counted = { spansCount: number; errorsCount: number; logsCount: number };
    await until(
      `everything of trace ${traceId}`,
      async () => {
        const meta = await api.get<Counted>(`/api/0/organizations/main/trace-meta/${traceId}/`);
        return (
          meta.spansCount >= counts.spans &&
          meta.errorsCount === counts.errors &&
          meta.logsCount === counts.logs
        );
      },
      { timeoutMs: READABLE_WITHIN_MS },
    );
    for (const name of profiled) {
      await until(`a profile of ${name}`, async () => {
        const rows = await api.get<unknown[]>(`/api/0/projects/main/${projects[name]?.slug}/profiles/`);
        return rows.length > 0;
      });
    }
    return traceId;
  }

  /** Each row of the waterfall as its depth, its marks and its text. */
  async function readRows(): Promise<{ depth: number; text: string; marks: string }[]> {
    const rows = await tree()
      .getByRole('treeitem')
      .evaluateAll((items) =>
        items.map((item) => ({
          depth: Number(item.getAttribute('aria-level')),
          text: (item.textContent ?? '').replace(/\s+/g, ' ').trim(),
          marks: [...item.querySelectorAll('svg[aria-label]')]
            .map((mark) => mark.getAttribute('aria-label'))
            .join(),
        })),
      );
    expect(rows.map(({ marks }) => marks).join()).not.toMatch(/missing|clocks/);
    return rows;
  }

  /** That each row is somewhere below the one before, in the waterfall. */
  async function expectChain(names: readonly RegExp[]): Promise<void> {
    const rows = await readRows();
    const found = names.map((name) => {
      const index = rows.findIndex(({ text }) => name.test(text));
      expect(index, `${name} among\n${rows.map(({ text }) => text).join('\n')}`).toBeGreaterThanOrEqual(0);
      return index;
    });
    for (const [at, index] of found.entries()) {
      if (at === 0) continue;
      const above = found[at - 1] ?? 0;
      const between = rows.slice(above + 1, index + 1);
      const depth = rows[above]?.depth ?? 0;
      expect(between.length, `${names[at]} is after ${names[at - 1]}`).toBeGreaterThan(0);
      expect(
        Math.min(...between.map((row) => row.depth)),
        `${names[at]} is below ${names[at - 1]}`,
      ).toBeGreaterThan(depth);
    }
  }

  /** More rows than fit are drawn as one scrolls. */
  const scrollTree = (to: 'start' | 'end') =>
    tree().evaluate((own, end) => own.scrollTo(0, end ? own.scrollHeight : 0), to === 'end');

  async function installed(name: string): Promise<InstalledApps | string> {
    try {
      return await installApps(name);
    } catch (error) {
      if (error instanceof NotInstalled) return error.message;
      throw error;
    }
  }

  test(
    'with Sentry’s SDKs is one, from the page to the error of the last service',
    async (context) => {
      const apps = await installed('sentry');
      if (typeof apps === 'string') return context.skip(apps);
      const projects = await makeProjects('web', 'gateway', 'orders', 'ledger');
      const dsnOf = (name: string) => ({ SENTRY_DSN: projects[name]?.dsn ?? '' });
      const [web, next] = [path.join(apps.folder, 'web'), path.join(apps.folder, 'next')];
      await buildApp('vite/bin/vite.js', web);
      await buildApp('next/dist/bin/next', next);
      const { folder: cwd } = apps;
      using ledger = await startApp(apps.python, ['ledger.py'], { cwd, env: dsnOf('ledger') });
      using orders = await startApp(process.execPath, INSTRUMENTED, {
        cwd,
        env: { ...dsnOf('orders'), LEDGER_URL: ledger.url, SHOP_DATABASE_URL: databaseUrl },
      });
      using gateway = await startApp(process.execPath, [NEXT, 'start'], {
        cwd: next,
        env: { ...dsnOf('gateway'), ORDERS_URL: orders.url },
      });
      await using site = await serveSite(path.join(web, 'dist'));
      const shop = await browser.newPage();
      const settings = new URLSearchParams({ dsn: projects.web?.dsn ?? '', gateway: gateway.url });
      await shop.goto(`${site.url}/?${settings}`);
      await shop.getByRole('button', { name: 'Check out' }).click();
      await shop.getByText('The order failed').waitFor();
      const traceId = await findTrace(projects, { spans: 25, errors: 1, logs: 5 }, ['orders', 'ledger']);
      await shop.close();

      await walk('sentry', async () => {
        await page.goto(`${url}/main/traces/${traceId}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.getByText(/· 1 error · 5 logs · 2 profiles · 4 projects/).waitFor();
        await page.getByRole('list', { name: 'Web vitals' }).getByText('LCP').waitFor();
        await readRows();
        await scrollTree('end');
        await expect
          .poll(async () => (await readRows()).some(({ text }) => text.includes('ask_bank')))
          .toBe(true);
        await expectChain([
          /http\.client POST http.*\/api\/checkout/,
          /http\.server POST \/api\/checkout/,
          /http\.client POST http.*\/orders\/1/,
          /http\.server POST \/orders\/:article/,
          /http\.client POST http.*\/charges/,
          /http\.server POST \/charges/,
          /function ask_bank/,
        ]);
        await expectChain([/http\.server POST \/orders\/:article/, /db SELECT name, price FROM articles/]);
        await expectChain([/http\.server POST \/orders\/:article/, /db INSERT INTO orders/]);
        const rows = await readRows();
        expect(rows.filter(({ marks }) => marks.includes('1 error'))).toHaveLength(1);
        expect(rows.find(({ text }) => /http\.server POST \/orders/.test(text))?.marks).toBe('Failed: error');
        await expect
          .poll(() => lines('Logs'))
          .toEqual([
            expect.stringContaining('checking out'),
            expect.stringContaining('passing an order on'),
            expect.stringContaining('ordering tea'),
            expect.stringContaining('charging 11'),
            expect.stringContaining('the ledger answered with an error'),
          ]);
      });

      await walk('sentry-profiles', async () => {
        const profiles = region(/^Profiles/);
        await profiles.getByRole('link', { name: 'POST /orders/:article' }).click();
        await page.waitForURL(`**/profiles/${projects.orders?.slug}/continuous/**`);
        await page.getByRole('application', { name: 'Flame chart in time order' }).waitFor();
        await page.getByRole('searchbox', { name: 'Search functions' }).fill('applyDiscounts');
        await page.getByText(/^1 function, /).waitFor();
        // The SDK names the profiler only in the transaction, and chunks name no transaction.
        const transaction = encodeURIComponent('POST /orders/:article');
        await page.goto(`${url}/main/profiles/${projects.orders?.slug}/merged?transaction=${transaction}`);
        await page.getByText(/^1 profile$/).waitFor();
        await page.getByRole('searchbox', { name: 'Search functions' }).fill('applyDiscounts');
        await page.getByText(/^1 function, /).waitFor();
      });

      await walk('sentry-error', async () => {
        await page.goto(`${url}/main/traces/${traceId}`);
        await region(/^Errors/)
          .getByRole('link', { name: 'CardDeclined' })
          .click();
        await page.waitForURL('**/issues/**');
        const glance = page.getByRole('list', { name: 'At a glance' });
        await page.getByText('charging 11').waitFor();
        await page.getByRole('link', { name: 'Logs of the trace' }).waitFor();
        await glance.getByRole('link', { name: 'Profile' }).click();
        await page.waitForURL(`**/profiles/${projects.ledger?.slug}/**`);
        await page.getByRole('searchbox', { name: 'Search functions' }).fill('check_balance');
        await page.getByText(/^1 function, /).waitFor();
        await page.goBack();
        await glance.getByRole('link', { name: 'Trace' }).click();
        await page.waitForURL(`**/traces/${traceId}?span=**`);
        const selected = tree().getByRole('treeitem', { selected: true });
        await expect.poll(() => selected.textContent()).toContain('http.server POST /charges');
      });
    },
    SET_UP_MS,
  );

  test(
    'with OpenTelemetry’s SDKs is one, with its queries, its logs and its failure',
    async (context) => {
      const apps = await installed('opentelemetry');
      if (typeof apps === 'string') return context.skip(apps);
      const projects = await makeProjects('orders', 'ledger');
      const otlpOf = (name: string) => {
        const { origin, projectId, publicKey } = parseDsn(projects[name]?.dsn ?? '');
        return {
          OTEL_EXPORTER_OTLP_ENDPOINT: `${origin}/api/${projectId}/integration/otlp`,
          OTEL_EXPORTER_OTLP_HEADERS: `x-sentry-auth=sentry sentry_key=${publicKey}`,
          OTEL_SERVICE_NAME: name,
          OTEL_RESOURCE_ATTRIBUTES: 'service.version=1.4.0,deployment.environment.name=production',
        };
      };
      const { folder: cwd } = apps;
      using ledger = await startApp(apps.python, ['ledger.py'], { cwd, env: otlpOf('ledger') });
      using orders = await startApp(process.execPath, INSTRUMENTED, {
        cwd,
        env: { ...otlpOf('orders'), LEDGER_URL: ledger.url, SHOP_DATABASE_URL: databaseUrl },
      });
      const answer = await fetch(`${orders.url}/orders/1`, { method: 'POST' });
      expect(answer.status, `${orders.output()}${ledger.output()}`).toBe(502);
      const traceId = await findTrace(projects, { spans: 8, errors: 0, logs: 2 }, []);

      await walk('opentelemetry', async () => {
        await page.goto(`${url}/main/traces/${traceId}`);
        await page.getByRole('heading', { level: 1, name: 'POST /orders/:article' }).waitFor();
        await expectChain([
          /^http\.server POST \/orders\/:article/,
          /^request handler/,
          /^http\.client POST http.*\/charges/,
          /^http\.server POST \/charges/,
          /^ask_bank/,
        ]);
        await expectChain([/^request handler/, /^db SELECT name, price FROM articles/]);
        const rows = await readRows();
        expect(rows.filter(({ marks }) => marks === 'Failed: error').length).toBeGreaterThanOrEqual(3);
        await expect
          .poll(() => lines('Logs'))
          .toEqual([expect.stringContaining('ordering tea'), expect.stringContaining('could not charge')]);
        await region('Logs')
          .getByRole('button', { name: 'Show span' })
          .or(region('Logs').getByText('Show span'))
          .last()
          .click();
        const details = page.getByRole('region', { name: 'Span', exact: true });
        await details.getByRole('heading', { name: 'POST /charges' }).waitFor();
        await details.getByText('1.4.0', { exact: true }).first().waitFor();
      });
    },
    SET_UP_MS,
  );
});
