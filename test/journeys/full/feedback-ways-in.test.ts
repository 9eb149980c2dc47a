import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { bundleProgram, serveProgram } from '../../harness/bundle-program.ts';
import { type MailServer, startMailServer } from '../../harness/mail-server.ts';
import { soundnessOf } from '../../harness/page-soundness.ts';
import { signIn } from '../../harness/sign-in.ts';
import { ADMIN, type ErrataServer, startErrata } from '../../harness/start-errata.ts';
import { until } from '../../harness/until.ts';

const SHOP = '<!doctype html><title>Shop</title><h1>Shop</h1><script src="/app.js"></script>';
const PHONE = { width: 390, height: 844 };

const hasBrowser = findChromium() !== null;

describe.skipIf(!hasBrowser)(`feedback in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let mail: MailServer;
  let server: ErrataServer;
  let browser: Browser;
  let owner: Page;

  beforeAll(async () => {
    mail = await startMailServer();
    server = await startErrata({
      env: { ERRATA_SMTP_URL: mail.url, ERRATA_MAIL_FROM: 'Errata <errata@example.com>' },
    });
    browser = await launchChromium();
    owner = await signIn(browser, server.url);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
    await mail?.close();
  });

  const row = (text: string) =>
    owner.getByRole('list', { name: 'Feedback' }).getByRole('listitem').filter({ hasText: text });

  const openInInbox = (text: string) =>
    until(`"${text}" in the inbox`, async () => {
      await owner.goto(`${server.url}/main/feedback`);
      return (await row(text).count()) === 1;
    });

  test('the widget of @sentry/browser sends a message with a screenshot, which is answered by email', async () => {
    const script = await bundleProgram('browser-feedback.js');
    await using site = await serveProgram(script, SHOP);
    const shop = await browser.newPage();
    // Nobody is there to choose a screen; what the widget does with the picture is its own.
    await shop.addInitScript(() => {
      navigator.mediaDevices.getDisplayMedia = async () => {
        const canvas = document.createElement('canvas');
        canvas.width = 640;
        canvas.height = 480;
        const draw = () => canvas.getContext('2d')?.fillRect(0, 0, 320, 240);
        setInterval(draw, 50);
        return canvas.captureStream(20);
      };
    });
    await keepingScreenshot(shop, 'feedback-widget', async () => {
      await shop.goto(`${site.url}/?dsn=${encodeURIComponent(server.dsn ?? '')}`);
      await shop.getByRole('button', { name: 'Report a Bug' }).click();
      await shop.getByLabel('Name').fill('Ana Lopez');
      await shop.getByLabel('Email').fill('ana@example.org');
      await shop.getByLabel(/Description/).fill('The cart is empty.\nI had three things in it.');
      await shop.getByRole('button', { name: 'Add a screenshot' }).click();
      await shop.getByRole('button', { name: 'Remove screenshot' }).waitFor();
      await shop.waitForTimeout(1_000);
      await shop.getByRole('button', { name: 'Send Bug Report' }).click();
      await shop.getByText('Thank you for your report!').waitFor();
    });

    await openInInbox('The cart is empty.');
    await keepingScreenshot(owner, 'feedback-reply', async () => {
      await row('The cart is empty.').getByRole('link').first().click();
      await owner.getByText('I had three things in it.').first().waitFor();
      await owner.getByText('screenshot.png').first().waitFor();
      await owner.getByRole('button', { name: 'Reply by email' }).click();
      await owner.getByLabel('Reply to ana@example.org').fill('It is fixed.\nThank you!');
      mail.refused.add('ana@example.org');
      await owner.getByRole('button', { name: 'Send reply' }).click();
      await owner.getByText(/^failed\b/).waitFor();
      mail.refused.clear();
      await owner.getByRole('button', { name: 'Send again' }).click();
      const { headers, plain, to } = await mail.mailTo('ana@example.org');
      expect(to).toEqual(['ana@example.org']);
      expect(headers.get('subject')).toBe('Re: Your feedback');
      expect(headers.get('reply-to')).toContain(ADMIN.email);
      expect(plain).toBe(
        'It is fixed.\nThank you!\n\nYou wrote:\n> The cart is empty.\n> I had three things in it.\n',
      );
      // Without a reload.
      await owner.getByText('replied by email to ana@example.org').waitFor();
      await owner.getByText(/^sent\b/).waitFor();
      expect(await owner.getByRole('button', { name: 'Send again' }).count()).toBe(0);
    });
    await openInInbox('The cart is empty.');
    await row('The cart is empty.')
      .getByRole('button', { name: /^Resolve/ })
      .click();
    await expect.poll(() => row('The cart is empty.').count()).toBe(0);
  });

  test('a public form is switched on, keeps what was typed when it is refused, and arrives in the inbox', async () => {
    const settings = `${server.url}/main/settings/projects/default/feedback`;
    await owner.goto(settings);
    const link = owner.getByRole('link', { name: /\/share\/feedback\// });
    expect(await link.count()).toBe(0);
    await owner.getByLabel('Public feedback form').check();
    await owner.getByRole('button', { name: 'Save' }).click();
    const address = await link.textContent();
    const context = await browser.newContext({ viewport: PHONE, colorScheme: 'dark' });
    const visitor = await context.newPage();
    expect(await soundnessOf(visitor, address ?? '')).toEqual([]);
    await keepingScreenshot(visitor, 'feedback-form', async () => {
      await visitor.getByLabel('Message').fill('Buy cheap watches');
      await visitor.getByLabel(/^Name/).fill('Bob');
      await visitor
        .getByLabel(/^Screenshot/)
        .setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
      await visitor.getByRole('button', { name: 'Send feedback' }).click();
      await visitor.getByText('The screenshot must be a PNG').waitFor();
      expect(await visitor.getByLabel('Message').inputValue()).toBe('Buy cheap watches');
      expect(await visitor.getByLabel(/^Name/).inputValue()).toBe('Bob');
      await visitor.getByLabel(/^Screenshot/).setInputFiles([]);
      await visitor.getByRole('button', { name: 'Send feedback' }).click();
      await visitor.getByText('Your feedback was sent').waitFor();
    });
    expect(await context.cookies()).toEqual([]);

    await openInInbox('Buy cheap watches');
    await row('Buy cheap watches').getByRole('button', { name: /^Spam/ }).click();
    await expect.poll(() => row('Buy cheap watches').count()).toBe(0);

    await owner.goto(settings);
    await owner.getByLabel('Public feedback form').uncheck();
    await owner.getByRole('button', { name: 'Save' }).click();
    await link.waitFor({ state: 'detached' });
    expect((await visitor.goto(address ?? ''))?.status()).toBe(404);
  });
});
