import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '../../harness/api-client.ts';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { openAsOwner, sharedErrata } from '../../harness/shared-errata.ts';
import { until } from '../../harness/until.ts';

const SCOPES = 'org:read,project:read,project:write,event:read,event:write,alerts:write';
/** From a check to its issue, on a machine that is shared. */
const PATIENCE_MS = 20_000;

type Issue = { title: string; status: string; issueType: string };

const hasBrowser = findChromium() !== null;

describe.skipIf(!hasBrowser)(`uptime in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let server: Server;
  let api: ApiClient;
  let url: string;
  let isUp = true;
  const traces: (string | string[] | undefined)[] = [];

  beforeAll(async () => {
    const errata = sharedErrata();
    api = createApiClient(errata.url, await errata.token(SCOPES));
    browser = await launchChromium();
    server = createServer((request, response) => {
      traces.push(request.headers['sentry-trace']);
      response.writeHead(isUp ? 200 : 503).end(isUp ? '{"status":"ok"}' : 'The database is away');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/health`;
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test('a server that goes down opens an issue, which is resolved when it is up again', async () => {
    const errata = sharedErrata();
    const slug = `uptime-${Math.random().toString(36).slice(2, 8)}`;
    await errata.project(slug);
    const path = `/api/0/projects/main/${slug}/uptime/`;
    const findIssue = async (status: string) => {
      const query = encodeURIComponent('issue.category:uptime');
      const answer = await api.request('GET', `/api/0/projects/main/${slug}/issues/?query=${query}`);
      return (answer.body as Issue[]).find((issue) => issue.status === status);
    };
    const page = await openAsOwner(browser);
    await keepingScreenshot(page, 'uptime', async () => {
      await page.goto(
        `${errata.url}/main/monitors/uptime/new?project=${slug}&url=${encodeURIComponent(url)}`,
      );
      await page.getByLabel('Name').fill('Shop');
      await page.getByLabel('Assertions').fill('json status = ok');
      await page.getByLabel(/Open an incident after/).fill('1');
      await page.getByRole('button', { name: 'Run the check once now' }).click();
      await page.getByText('The check succeeded').waitFor();
      await page.getByRole('button', { name: 'Create monitor' }).click();
      await page.waitForURL(/\/monitors\/uptime\/\d+$/);
      const id = page.url().split('/').at(-1)!;
      const checks = async () =>
        (await api.request('GET', `${path}${id}/checks/`)).body as {
          checkStatus: string;
          traceId: string;
        }[];
      const first = await until('the first check', async () => (await checks())[0], {
        timeoutMs: PATIENCE_MS,
      });
      expect(first.checkStatus).toBe('success');
      expect(traces.some((sent) => String(sent).startsWith(first.traceId))).toBe(true);

      // A monitor that was changed is checked at once.
      isUp = false;
      expect(await api.request('PUT', `${path}${id}/`, { intervalSeconds: 3_600 })).toMatchObject({
        status: 200,
      });
      const issue = await until('an issue', () => findIssue('unresolved'), { timeoutMs: PATIENCE_MS });
      expect(issue).toMatchObject({
        title: 'Downtime detected: Shop',
        issueType: 'uptime_domain_failure',
      });
      await page.reload();
      await page.getByText('The status is 503, expected 200-299').first().waitFor();
      await page.getByText('Down', { exact: true }).first().waitFor();

      isUp = true;
      await api.request('PUT', `${path}${id}/`, { name: 'Shop' });
      await until('its end', () => findIssue('resolved'), { timeoutMs: PATIENCE_MS });
      await page.reload();
      await page.getByText('Up', { exact: true }).first().waitFor();
      expect(await page.getByRole('list', { name: 'Incidents' }).getByRole('listitem').count()).toBe(1);
      await api.request('DELETE', `${path}${id}/`);
    });
    await page.context().close();
  });
});
