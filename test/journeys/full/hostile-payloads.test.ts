import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient } from '../../harness/api-client.ts';
import { findChromium, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { buildEnvelope, type Dsn, eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { type HostileEvent, makeHostileCrowd, makeHostileEvents } from '../../harness/hostile-events.ts';
import { CANARY, FOREIGN_ORIGIN, HOSTILE_TEXTS } from '../../harness/hostile-texts.ts';
import { makeProject, openAsOwner } from '../../harness/shared-errata.ts';
import { inspectPage, type Mischief, watchContext } from '../../harness/watch-page.ts';

/** What runs late, such as handlers of images that fail to load, runs by then. */
const SETTLING_MS = 250;
/** Of a page's markup: an ordinary issue has about 2,000. */
const ELEMENTS_MAX = 12_000;
const WIDTHS = [1_280, 390] as const;
const DIGESTED_WITHIN_MS = 20_000;
/** A hundred pages, each in two widths. */
const PAGES_MS_MAX = 10 * 60_000;
type Stored = HostileEvent & { shortId: string };

let url: string;
let slug: string;
let api: ApiClient;
let dsn: Dsn;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let mischief: Mischief;
let events: readonly Stored[];
/** One issue of all texts, with everything beside them that a page shows: attachments, a report, a comment. */
let crowd: Stored;

const hasBrowser = findChromium() !== null;

describe.skipIf(!hasBrowser)(`hostile payloads${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  beforeAll(async () => {
    const project = await makeProject('hostile');
    ({ slug, api } = project);
    ({ url } = project.errata);
    dsn = parseDsn(project.dsn);
    events = await send(makeHostileEvents());
    const many = await send(makeHostileCrowd());
    crowd = many.at(-1)!;
    await addWhatBelongsTo(crowd);
    browser = await launchChromium();
    page = await openAsOwner(browser);
    context = page.context();
    mischief = await watchContext(context, url, CANARY);
  });
  afterAll(async () => {
    await browser?.close();
  });

  async function send(list: readonly HostileEvent[]): Promise<readonly Stored[]> {
    const stored: Stored[] = [];
    for (const { name, event } of list) {
      const answer = await postEnvelope(dsn, eventEnvelope(event));
      expect([name, answer.status, answer.body]).toEqual([name, 200, { id: event.event_id }]);
    }
    for (const one of list) {
      const { issue } = await findEvent(api, slug, one.event.event_id, DIGESTED_WITHIN_MS);
      stored.push({ ...one, shortId: issue.shortId });
    }
    return stored;
  }

  async function addWhatBelongsTo({ event, shortId }: Stored): Promise<void> {
    const header = { event_id: event.event_id };
    const items = HOSTILE_TEXTS.map((text, index) => ({
      type: 'attachment',
      payload: `<script>${CANARY}()</script><svg xmlns="http://www.w3.org/2000/svg" onload="${CANARY}()"/>`,
      headers: {
        filename: index === 0 ? 'page.html' : index === 1 ? 'image.svg' : text,
        content_type: ['text/html', 'image/svg+xml', text][Math.min(index, 2)],
      },
    }));
    expect((await postEnvelope(dsn, buildEnvelope(header, items))).status).toBe(200);
    for (const text of HOSTILE_TEXTS) {
      const report = { event_id: event.event_id, name: text, email: text, comments: text };
      const body = buildEnvelope(header, [{ type: 'user_report', payload: JSON.stringify(report) }]);
      expect((await postEnvelope(dsn, body)).status).toBe(200);
    }
    const lost = HOSTILE_TEXTS.map((reason) => ({ reason, category: 'error', quantity: 1 }));
    const report = JSON.stringify({ timestamp: Date.now() / 1000, discarded_events: lost });
    const clientReport = buildEnvelope({}, [{ type: 'client_report', payload: report }]);
    expect((await postEnvelope(dsn, clientReport)).status).toBe(200);
    const issue = await api.get<{ id: string }>(`/api/0/organizations/main/issues/${shortId}/`);
    for (const text of HOSTILE_TEXTS) {
      const comment = { text: text.slice(0, 5_000) };
      const { status } = await api.request('POST', `/api/0/issues/${issue.id}/comments/`, comment);
      const canBeStored = comment.text.isWellFormed() && !comment.text.includes('\0');
      expect(status).toBe(canBeStored ? 201 : 400);
    }
    for (const address of [`javascript:${CANARY}()`, `data:text/html,<script>${CANARY}()</script>`]) {
      const link = { url: address, title: address };
      const { status } = await api.request('POST', `/api/0/issues/${issue.id}/external-issues/`, link);
      expect(status).toBe(400);
    }
  }

  /** What is wrong with a page at any width, everything that is folded being opened; each as one line. */
  async function inspect(path: string): Promise<readonly string[]> {
    await page.setViewportSize({ width: WIDTHS[0], height: 900 });
    const answer = await page.goto(`${url}${path}`, { waitUntil: 'load' });
    const found: string[] = answer?.status() === 200 ? [] : [`answered ${answer?.status()}`];
    const elements = await page.evaluate(() => document.querySelectorAll('*').length);
    if (elements > ELEMENTS_MAX) found.push(`has ${elements} elements`);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      found.push(...(await inspectPage(page)).map((line) => `${width}: ${line}`));
    }
    await page.waitForTimeout(SETTLING_MS);
    found.push(...mischief.seen.splice(0));
    const shown = await page.evaluate(() => document.body.textContent.length);
    if (shown < 100) found.push('hardly anything is shown');
    return found;
  }

  /** Each page is looked at, whatever is wrong with those before it. */
  async function expectHarmless(pages: readonly (readonly [name: string, path: string])[]): Promise<void> {
    const wrong: Record<string, readonly string[]> = {};
    for (const [name, path] of pages) {
      const found = await inspect(path);
      if (found.length > 0) wrong[`${name} ${path}`] = found;
    }
    expect(wrong).toEqual({});
  }

  const walk = (name: string, paths: () => readonly string[]) =>
    test(name, () => expectHarmless(paths().map((path) => [name, path])));

  test('the page of each', { timeout: PAGES_MS_MAX }, async () => {
    await expectHarmless(events.map(({ name, shortId }) => [name, `/main/issues/${shortId}`]));
  });

  walk('lists of issues', () => [
    `/main/issues?project=${slug}`,
    `/main/issues?project=${slug}&query=${encodeURIComponent(HOSTILE_TEXTS[0]!)}`,
    `/main/issues?project=${slug}&query=${encodeURIComponent('customer:"\u202Egpj"')}&sort=freq`,
  ]);

  walk('views of one issue', () =>
    [
      '',
      '/tags?key=customer',

      '/attachments',
      '/activity',
      '/events',
      '/tags',
      '/feedback',
      '/grouping',
      '/similar',
      `/events/${crowd.event.event_id}`,
    ].map((view) => `/main/issues/${crowd.shortId}${view}`),
  );

  walk('pages of the organization and the project', () => [
    `/main/projects/${slug}`,
    `/main/explore/errors?project=${slug}&group=customer`,

    '/main/projects',
    `/main/releases?project=${slug}`,
    `/main/explore/errors?project=${slug}`,
    `/main/stats?project=${slug}`,
    `/main/settings/projects/${slug}/grouping`,
    `/main/settings/projects/${slug}/discarded`,
  ]);

  test('the JSON of an event is text for every browser', async () => {
    for (const { name, event, shortId } of [...events, crowd]) {
      const answer = await context.request.get(`${url}/main/issues/${shortId}/events/${event.event_id}/json`);
      const headers = answer.headers();
      expect([name, answer.status(), headers['content-type']?.split(';')[0]]).toEqual([
        name,
        200,
        'application/json',
      ]);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(JSON.parse(await answer.text())).toMatchObject({ event_id: event.event_id });
    }
  });

  test('attachments are downloaded, never opened as pages of ours', async () => {
    const listPath = `/api/0/projects/main/${slug}/events/${crowd.event.event_id}/attachments/`;
    const attachments = await api.get<{ id: string }[]>(listPath);
    expect(attachments.length).toBeGreaterThan(2);
    for (const { id } of attachments) {
      const { status, headers } = await api.request('GET', `${listPath}${id}/?download=1`);
      expect([status, headers.get('content-disposition')?.split(';')[0]]).toEqual([200, 'attachment']);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy') ?? headers.get('content-type')).toMatch(
        /sandbox|octet-stream/,
      );
    }
  });

  test('a shared page is harmless as well, for whoever has its address', async () => {
    const guest = await browser.newContext({ viewport: { width: 390, height: 900 } });
    const seen = await watchContext(guest, url, CANARY);
    const visitor = await guest.newPage();
    seen.seen.length = 0;
    const wrong: Record<string, readonly string[]> = {};
    for (const { name, shortId } of [...events, crowd]) {
      const { id } = await api.get<{ id: string }>(`/api/0/organizations/main/issues/${shortId}/`);
      const { body } = await api.request('POST', `/api/0/issues/${id}/share/`, { days: 1 });
      expect((await visitor.goto((body as { url: string }).url))?.status()).toBe(200);
      await visitor.waitForTimeout(SETTLING_MS);
      const found = [...(await inspectPage(visitor)), ...seen.seen.splice(0)];
      if (found.length > 0) wrong[name] = found;
    }
    expect(wrong).toEqual({});
    await guest.close();
  });

  test('what these tests look for would be seen', async () => {
    const bad = await browser.newContext();
    const watched = await watchContext(bad, url, CANARY);
    const victim = await bad.newPage();
    watched.seen.length = 0;
    // Without the policy that real pages come with.
    await victim.route(`${url}/bad`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<script>${CANARY}()</script><img src=x onerror=${CANARY}()><img src="${FOREIGN_ORIGIN}/i.png">
          <a href="javascript:${CANARY}()">link</a><p style="width:3000px">wide</p>
          <p><bdi>open &#x202E;</bdi> beside</p><p><bdi>open &#x2067;</bdi> beside</p>
          <p>loose &#x200F;<b>beside</b></p>`,
      }),
    );
    await victim.goto(`${url}/bad`);
    await victim.waitForTimeout(SETTLING_MS);
    const found = await inspectPage(victim);
    const of = (lines: readonly string[], part: string) => lines.filter((line) => line.includes(part)).length;
    expect(of(watched.seen, 'a script ran')).toBe(2);
    expect(of(watched.seen, `a request to ${FOREIGN_ORIGIN}`)).toBe(1);
    expect([of(found, 'sideways'), of(found, 'a link to'), of(found, 'turning signs')]).toEqual([1, 1, 3]);
    await bad.close();
  });

  test('nothing of it changed what objects of the server are', async () => {
    expect(JSON.stringify(await api.get(`/api/0/projects/main/${slug}/`))).not.toContain('polluted');
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect(FOREIGN_ORIGIN).not.toBe(new URL(url).origin);
  });
});
