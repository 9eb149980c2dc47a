import type { Browser, BrowserContext, Page } from 'playwright-core';
import { findChromium, launchChromium } from '../harness/browser.ts';
import { signIn } from '../harness/sign-in.ts';
import { percentile } from './generator-process.ts';

const VISITS = 20;
const REQUESTS = 200;
const VIEWPORT = { width: 1280, height: 800 };
/** Layout may move for so long after everything was loaded, and it would be seen. */
const SETTLE_MS = 700;
/** A row of the stream. */
const ISSUE_LINK = 'main a[href*="/issues/"]';

export type PageSpeed = {
  visits: number;
  /** The whole answer, asked for by a program that does nothing else. */
  serverMs: Spread;
  /** The largest answer, before it is compressed. */
  htmlBytes: number;
  /** From the request to the first byte of the answer, which holds the frame of the page. */
  firstByteMs: Spread;
  /** From the request to the last byte of the answer. */
  responseMs: Spread;
  largestPaintMs: Spread;
  /** The worst of all visits; no unit. */
  layoutShift: number;
  /** What came compressed before the page was interactive. */
  scriptBytes: number;
};
export type Spread = { p50: number; p95: number };

/**
 * Visits pages in a real browser, each time without a cache, as the signed-in owner; and goes between them by links
 * that were loaded ahead. null without a Chromium.
 */
export async function measurePages(
  url: string,
  pages: Readonly<Record<string, string>>,
): Promise<{ pages: Record<string, PageSpeed>; navigation: Spread } | null> {
  if (findChromium() === null) return null;
  await using browser = await launchChromium();
  const cookies = await (await signIn(browser, url)).context().cookies();
  const result: Record<string, PageSpeed> = {};
  for (const [name, path] of Object.entries(pages)) {
    const visits: Visit[] = [];
    for (let turn = 0; turn < VISITS; turn++) visits.push(await visit(browser, cookies, `${url}${path}`));
    result[name] = {
      visits: visits.length,
      ...(await askServer(`${url}${path}`, cookies)),
      firstByteMs: spread(visits.map(({ firstByteMs }) => firstByteMs)),
      responseMs: spread(visits.map(({ responseMs }) => responseMs)),
      largestPaintMs: spread(visits.map(({ largestPaintMs }) => largestPaintMs)),
      layoutShift: Math.max(...visits.map(({ layoutShift }) => layoutShift)),
      scriptBytes: Math.max(...visits.map(({ scriptBytes }) => scriptBytes)),
    };
  }
  return { pages: result, navigation: await measureNavigation(browser, cookies, `${url}${pages.stream}`) };
}

/** One request after the other, as soon as the one before has been answered to its end. */
async function askServer(
  address: string,
  cookies: Cookies,
): Promise<Pick<PageSpeed, 'serverMs' | 'htmlBytes'>> {
  const headers = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
  const tookMs: number[] = [];
  let htmlBytes = 0;
  for (let turn = 0; turn < REQUESTS; turn++) {
    const startedAt = performance.now();
    const response = await fetch(address, { headers, redirect: 'manual' });
    htmlBytes = Math.max(htmlBytes, (await response.arrayBuffer()).byteLength);
    if (response.status !== 200) throw new Error(`${address} answered ${response.status}`);
    tookMs.push(performance.now() - startedAt);
  }
  return { serverMs: spread(tookMs), htmlBytes };
}

type Visit = {
  firstByteMs: number;
  responseMs: number;
  largestPaintMs: number;
  layoutShift: number;
  scriptBytes: number;
};
type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

async function visit(browser: Browser, cookies: Cookies, address: string): Promise<Visit> {
  const page = await openPage(browser, cookies);
  await page.goto(address, { waitUntil: 'load' });
  await page.waitForTimeout(SETTLE_MS);
  const seen = await page.evaluate(() => {
    const navigation = performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming;
    const scripts = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
      ({ name, responseEnd }) =>
        /\.js(\?|$)/.test(name) && responseEnd <= navigation.domContentLoadedEventEnd,
    );
    const seen = (window as unknown as { seen: { paintMs: number; shift: number } }).seen;
    return {
      firstByteMs: navigation.responseStart - navigation.requestStart,
      responseMs: navigation.responseEnd - navigation.requestStart,
      largestPaintMs: seen.paintMs,
      layoutShift: seen.shift,
      scriptBytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    };
  });
  await page.context().close();
  return seen;
}

/** From a click on a link that was loaded ahead to the paint of the page behind it, stream to issue. */
async function measureNavigation(browser: Browser, cookies: Cookies, stream: string): Promise<Spread> {
  const page = await openPage(browser, cookies);
  const tookMs: number[] = [];
  for (let turn = 0; turn < VISITS; turn++) {
    await page.goto(stream);
    await page.locator(ISSUE_LINK).first().waitFor();
    // The reporter comes last.
    await page.waitForFunction(() => '__SENTRY__' in window);
    const link = page.locator(ISSUE_LINK).nth(turn);
    const path = await link.getAttribute('href');
    const loadedAhead = page.waitForResponse(
      (response) =>
        response.request().headers().rsc === '1' && new URL(response.url()).pathname === path?.split('?')[0],
    );
    await link.hover();
    await (await loadedAhead).finished();
    tookMs.push(
      await page.evaluate(async (href) => {
        const before = document.querySelector('h1');
        const anchor = document.querySelector<HTMLAnchorElement>(`main a[href="${href}"]`);
        const startedAt = performance.now();
        anchor?.click();
        while (
          document.querySelector('h1') === before ||
          location.pathname !== new URL(href ?? '', location.href).pathname
        ) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
        return performance.now() - startedAt;
      }, path),
    );
  }
  await page.context().close();
  return spread(tookMs);
}

async function openPage(browser: Browser, cookies: Cookies): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  await context.addCookies(cookies);
  const page = await context.newPage();
  await page.addInitScript(() => {
    const seen = { paintMs: 0, shift: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.paintMs = entry.startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        seen.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return page;
}

function spread(values: readonly number[]): Spread {
  return { p50: percentile(values, 0.5), p95: percentile(values, 0.95) };
}
