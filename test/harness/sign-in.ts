import type { Browser, Page } from 'playwright-core';
import { ADMIN } from './start-errata.ts';

/** Signs somebody in over the form, as a person does; answers the page behind it, the asked one when there is one. */
export async function signIn(
  browser: Browser,
  url: string,
  credentials: { email: string; password: string } = ADMIN,
  asked = `${url}/login`,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(asked);
  await page.getByLabel(/e-?mail/i).fill(credentials.email);
  await page
    .getByLabel(/password/i)
    .first()
    .fill(credentials.password);
  await page.getByRole('button', { name: /^(sign in|log in)$/i }).click();
  await page.waitForURL((address) => !address.pathname.startsWith('/login'), { timeout: 20_000 });
  return page;
}
