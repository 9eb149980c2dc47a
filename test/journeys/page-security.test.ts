import { describe, expect, test } from 'vitest';
import { findChromium, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { openAsOwner, sharedErrata } from '../harness/shared-errata.ts';

/** Preloaded fonts delay what else a page needs. */
const FONT_BYTES_MAX = 60 * 1024;

describe('a page', () => {
  test('carries headers that keep foreign script, frames and sniffing away', async () => {
    const { url } = sharedErrata();
    const [first, second] = [await fetch(`${url}/login`), await fetch(`${url}/login`)];
    const policy = first.headers.get('content-security-policy') ?? '';
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    expect(policy).toContain("'strict-dynamic'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(second.headers.get('content-security-policy')).not.toContain(nonce);
    expect(first.headers.get('x-frame-options')).toBe('DENY');
    expect(first.headers.get('x-content-type-options')).toBe('nosniff');

    const scripts = [...(await first.text()).matchAll(/<script\b([^>]*)>/g)].map(
      ([, attributes]) => attributes ?? '',
    );
    const running = scripts.filter((attributes) => !attributes.includes('application/json'));
    expect(running.length).toBeGreaterThan(0);
    for (const attributes of running) expect(attributes).toContain(`nonce="${nonce}"`);
  });

  test('does not run script that got into it', async (context) => {
    if (findChromium() === null) return context.skip(NO_CHROMIUM);
    await using browser = await launchChromium();
    const page = await openAsOwner(browser);
    await page.goto(`${sharedErrata().url}/main/issues`);
    const violations: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') violations.push(message.text());
    });
    await page.evaluate(() => {
      const image = document.createElement('div');
      image.innerHTML =
        '<img src="data:," onerror="window.pwned = 1"><a id="jump" href="javascript:window.pwned=2">x</a>';
      document.body.append(image);
      document.body.insertAdjacentHTML(
        'beforeend',
        '<iframe srcdoc="<script>top.pwned=3</script>"></iframe>',
      );
      document.getElementById('jump')?.click();
    });
    await page.waitForTimeout(500);
    expect(await page.evaluate(() => (window as { pwned?: number }).pwned)).toBeUndefined();
    expect(violations.join('\n')).toMatch(/Content.Security.Policy/);
  });

  test('gets everything from this server, and the font of its text ahead of the rest', async (context) => {
    if (findChromium() === null) return context.skip(NO_CHROMIUM);
    const { url } = sharedErrata();
    await using browser = await launchChromium();
    const page = await openAsOwner(browser);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.goto(`${url}/main/projects/new`);
    await page.getByRole('radio').first().waitFor({ state: 'attached' });
    const families = await page.evaluate(async () => {
      await document.fonts.ready;
      return [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family);
    });
    expect(families.join()).toContain('Inter Variable');
    expect(requested.filter((address) => !address.startsWith(url) && !address.startsWith('data:'))).toEqual(
      [],
    );

    const preloaded = await page
      .locator('link[rel="preload"][as="font"]')
      .evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href));
    expect(preloaded).toHaveLength(1);
    // The same address as in the style sheet, or it would be fetched twice.
    expect(requested.filter((address) => /inter-latin-wght.*\.woff2$/.test(address))).toEqual(preloaded);
    const font = await page.request.get(preloaded[0] ?? '');
    expect((await font.body()).length).toBeLessThanOrEqual(FONT_BYTES_MAX);
    expect(requested.filter((address) => address.includes('platform-logos'))).toHaveLength(1);
  });
});
